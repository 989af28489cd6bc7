/** A link inside the application. ui does not import the router: the composition root provides the component. */
import {
  createContext,
  createElement,
  useContext,
  type AnchorHTMLAttributes,
  type ComponentType,
  type Ref,
} from "react";

export interface AnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
}

type Props = AnchorProps & { ref?: Ref<HTMLAnchorElement> };

/** The fallback without a router. */
function PlainAnchor({ children, ...rest }: Props) {
  return <a {...rest}>{children}</a>;
}

export const AnchorContext = createContext<ComponentType<Props>>(PlainAnchor);

export function Anchor(props: Props) {
  return createElement(useContext(AnchorContext), props);
}
