export const DASHBOARD_PATH = '/app';

export class DashboardSettings {
  /** @param origin URL without a path, such as `https://pay.example`. Passkeys are bound to its host. */
  constructor(readonly origin: string) {}

  /** @param path path below `/app` with a leading slash, or empty */
  url(path = ''): string {
    return `${this.origin}${DASHBOARD_PATH}${path}`;
  }
}
