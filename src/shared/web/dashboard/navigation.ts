import type { DashboardAction } from '../../kernel/dashboard-access.js';

interface Place {
  readonly path: string;
  readonly label: string;
  readonly action: DashboardAction;
}

/** The pages that every page leads to, by how often they are looked for. */
export const PLACES: readonly Place[] = [
  { path: '/app', label: 'Overview', action: 'read' },
  { path: '/app/payments', label: 'Payments', action: 'read' },
  { path: '/app/transactions', label: 'Transactions', action: 'read' },
  { path: '/app/settlements', label: 'Settlements', action: 'read' },
  { path: '/app/refunds', label: 'Refunds', action: 'read' },
  { path: '/app/links', label: 'Payment links', action: 'read' },
  { path: '/app/subscriptions', label: 'Subscriptions', action: 'read' },
  { path: '/app/webhooks', label: 'Webhooks', action: 'read' },
  { path: '/app/points-of-sale', label: 'Points of sale', action: 'read' },
  { path: '/app/accounts', label: 'Accounts', action: 'read' },
  { path: '/app/api-keys', label: 'API keys', action: 'manage_keys' },
  { path: '/app/team', label: 'Team', action: 'read' },
  { path: '/app/audit-log', label: 'Audit log', action: 'read' },
];
