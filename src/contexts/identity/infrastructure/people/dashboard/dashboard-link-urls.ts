import { Injectable } from '@nestjs/common';
import { DashboardSettings } from '#shared/platform/http/dashboard/dashboard-settings.js';
import { DashboardLinks } from '#contexts/identity/domain/people/mails.js';

@Injectable()
export class DashboardLinkUrls extends DashboardLinks {
  constructor(private readonly settings: DashboardSettings) {
    super();
  }

  invitation(token: string): string {
    return this.settings.url(`/invitation/${token}`);
  }

  passwordReset(token: string): string {
    return this.settings.url(`/password-reset/${token}`);
  }
}
