export const DASHBOARD_PATH = '/app';

export class DashboardSettings {
  /** @param origin URL without a path, such as `https://pay.example`. Passkeys are bound to its host. */
  constructor(readonly origin: string) {}

  url(path = ''): string {
    return `${this.origin}${DASHBOARD_PATH}${path}`;
  }
}
