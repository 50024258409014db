/** One of a network's JSON-RPC endpoints. */
export interface Endpoint {
  readonly network: string;
  /** Place in `rpc_urls`, from 0. */
  readonly position: number;
  /** For operators: host and port only; a URL may carry an access key. */
  readonly name: string;
}
