export const DASHBOARD_PATH = '/app';

export class DashboardSettings {
  constructor(readonly origin: string) {}

  url(path = ''): string {
    return `${this.origin}${DASHBOARD_PATH}${path}`;
  }
}
