export const DASHBOARD_PATH = '/app';

export class DashboardSettings {
  /** @param documentationUrl the operator's documentation for merchants, linked in the sidebar */
  constructor(
    readonly origin: string,
    readonly documentationUrl?: string,
  ) {}

  url(path = ''): string {
    return `${this.origin}${DASHBOARD_PATH}${path}`;
  }
}
