/** The paths of all its pages begin with this. */
export const DASHBOARD_PATH = '/app';

/** Where people open the dashboard. */
export class DashboardSettings {
  /** @param origin without a path, e.g. `https://pay.example`; passkeys are bound to its host */
  constructor(readonly origin: string) {}

  /** @param path below `/app`, with its slash, or nothing */
  url(path = ''): string {
    return `${this.origin}${DASHBOARD_PATH}${path}`;
  }
}
