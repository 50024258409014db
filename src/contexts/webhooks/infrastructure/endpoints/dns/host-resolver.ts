/** Looks host names up. */
export abstract class HostResolver {
  /** All IPv4 and IPv6 addresses of a host, in order of preference; none when it cannot be looked up. */
  abstract addresses(host: string): Promise<readonly string[]>;
}
