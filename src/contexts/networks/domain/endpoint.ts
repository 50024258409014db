/** One of a network's JSON-RPC endpoints, without its address, which may carry an access key. */
export interface Endpoint {
  readonly network: string;
  /** Place in `rpc_urls`, from 0. */
  readonly position: number;
  /** Host and port. */
  readonly name: string;
  /** A hash of its address names it in all processes, also after the order of `rpc_urls` was changed. */
  readonly fingerprint: string;
}

/** Blocks that endpoints of one chain differ by without any of them being ill. */
export const MAX_BEHIND = 3;

/** The endpoint's name in sentences: two endpoints of one provider have one name. */
export function spokenEndpoint({ position, name }: Endpoint): string {
  return `endpoint ${position + 1} (${name})`;
}
