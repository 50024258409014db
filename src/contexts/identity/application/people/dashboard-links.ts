/** Addresses of the dashboard that mails lead to. */
export abstract class DashboardLinks {
  abstract invitation(token: string): string;
  abstract passwordReset(token: string): string;
}
