import type { PageUser } from '#shared/web/dashboard/dashboard-page.js';

export const OWNER: PageUser = {
  ...{ name: 'Ann', email: 'ann@shop.example', role: 'owner', organizationName: 'Shop', timeZone: 'UTC' },
  at: new Date('2030-02-01T00:00:00Z'),
};
