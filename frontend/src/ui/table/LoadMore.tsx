/** The end of an incomplete list: loads the next page when scrolled into view or pressed. */
import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { Rest } from "@/ui/table/columns";

export function LoadMore({ rest }: { rest: Rest | undefined }) {
  return rest === undefined ? null : <Sentinel rest={rest} />;
}

function Sentinel({ rest: { isLoading, isFailed, load } }: { rest: Rest }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (button.current === null || isLoading || isFailed || typeof IntersectionObserver === "undefined")
      return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && load());
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [isLoading, isFailed, load]);
  return (
    <Button ref={button} size="xs" variant="default" m={8} loading={isLoading} onClick={load}>
      Load more
    </Button>
  );
}
