/** A JSON-RPC endpoint of a network, without its URL, which may contain an access key. */
export interface Endpoint {
  readonly network: string;
  /** Index in `rpc_urls`, from 0. */
  readonly position: number;
  /** Host and port. */
  readonly name: string;
  /** Identifies the endpoint even if the order of `rpc_urls` changes. */
  readonly fingerprint: string;
}

/** Number of blocks by which the heads of healthy endpoints of one chain may differ. */
export const MAX_BLOCKS_BEHIND = 3;

/** The name includes the position, because endpoints of one provider share a host name. */
export function endpointLabel({ position, name }: Endpoint): string {
  return `endpoint ${position + 1} (${name})`;
}
