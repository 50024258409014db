/** Prefix of all dashboard paths. */
export const DASHBOARD_PATH = '/app';

export class DashboardSettings {
  /** @param origin without a path, e.g. `https://pay.example`; passkeys are bound to its host */
  constructor(readonly origin: string) {}

  /** @param path below `/app`, with a leading slash; or empty */
  url(path = ''): string {
    return `${this.origin}${DASHBOARD_PATH}${path}`;
  }
}
