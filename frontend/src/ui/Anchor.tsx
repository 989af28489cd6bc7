/** A link inside the application. ui does not know the router: the composition root provides the component that moves. */
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

/** A plain anchor: used without a router. */
function PlainAnchor({ children, ...rest }: Props) {
  return <a {...rest}>{children}</a>;
}

export const AnchorContext = createContext<ComponentType<Props>>(PlainAnchor);

export function Anchor(props: Props) {
  return createElement(useContext(AnchorContext), props);
}
