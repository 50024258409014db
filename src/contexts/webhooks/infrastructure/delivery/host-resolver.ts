/** Looks host names up. */
export abstract class HostResolver {
  /** All IPv4 and IPv6 addresses of a host, in order of preference. @throws Error when there are none to be had */
  abstract addresses(host: string): Promise<readonly string[]>;
}
