import {
  type CollaboratorRole,
  type DashboardPermission,
  hasPermission,
} from '../../kernel/dashboard-access.js';
import type { Word } from './words/text.js';

export interface NavigationEntry {
  readonly path: string;
  readonly label: Word;
  readonly action: DashboardPermission;
}

interface NavigationGroup {
  /** Heading of the group; absent for the first group. */
  readonly label?: Word;
  readonly places: readonly NavigationEntry[];
}

/** All entries of the dashboard's navigation, grouped by purpose. */
const NAVIGATION_GROUPS: readonly NavigationGroup[] = [
  { places: [{ path: '/app', label: 'Overview', action: 'read' }] },
  {
    label: 'Payments',
    places: [
      { path: '/app/payments', label: 'Payments', action: 'read' },
      { path: '/app/refunds', label: 'Refunds', action: 'read' },
    ],
  },
  {
    label: 'Money',
    places: [
      { path: '/app/transactions', label: 'Transactions', action: 'read' },
      { path: '/app/settlements', label: 'Settlements', action: 'read' },
      { path: '/app/statements', label: 'Statements', action: 'read' },
      { path: '/app/periods', label: 'Periods', action: 'read' },
    ],
  },
  {
    label: 'Sales',
    places: [
      { path: '/app/links', label: 'Payment links', action: 'read' },
      { path: '/app/subscriptions', label: 'Subscriptions', action: 'read' },
      { path: '/app/points-of-sale', label: 'Points of sale', action: 'read' },
      { path: '/app/till', label: 'Till', action: 'pair_devices' },
    ],
  },
  {
    label: 'Developers',
    places: [
      { path: '/app/webhooks', label: 'Webhooks', action: 'read' },
      { path: '/app/api-keys', label: 'API keys', action: 'manage_keys' },
    ],
  },
  {
    label: 'Settings',
    places: [
      { path: '/app/accounts', label: 'Accounts', action: 'read' },
      { path: '/app/team', label: 'Team', action: 'read' },
      { path: '/app/notices', label: 'Notifications', action: 'read' },
      { path: '/app/audit-log', label: 'Audit log', action: 'read' },
    ],
  },
];

/** Returns the navigation entries for a role, without empty groups. */
export function navigationFor(role: CollaboratorRole): readonly NavigationGroup[] {
  return NAVIGATION_GROUPS.map(({ places, ...group }) => ({
    ...group,
    places: places.filter(({ action }) => hasPermission(role, action)),
  })).filter(({ places }) => places.length > 0);
}

export function navigationLabel(path: string | undefined): Word | undefined {
  return NAVIGATION_GROUPS.flatMap(({ places }) => places).find((place) => place.path === path)?.label;
}
