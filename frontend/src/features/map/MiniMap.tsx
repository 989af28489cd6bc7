export function MiniMap({ site }: { site: string }) { return <p>{site}</p>; }
