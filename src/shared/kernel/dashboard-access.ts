/** The role of a person in an organization (docs/concepts/security.md, "Roles"). */
export type CollaboratorRole = 'owner' | 'admin' | 'developer' | 'viewer' | 'cashier';

export const COLLABORATOR_ROLES: readonly CollaboratorRole[] = [
  'owner',
  'admin',
  'developer',
  'viewer',
  'cashier',
];

export type DashboardAction =
  /** Sees what the organization collects. */
  | 'read'
  /** Sends tests and resends deliveries. */
  | 'test_webhooks'
  | 'manage_keys'
  /** Changes anything else that belongs to the organization. */
  | 'manage'
  /** Closes and reopens months of the books. */
  | 'manage_books'
  /** Pairs a phone with a point of sale. */
  | 'pair_devices'
  /** A person's own sessions, password and second factor. */
  | 'own_account';

const MAY: Record<DashboardAction, readonly CollaboratorRole[]> = {
  read: ['owner', 'admin', 'developer', 'viewer'],
  test_webhooks: ['owner', 'admin', 'developer'],
  manage_keys: ['owner', 'admin'],
  manage: ['owner', 'admin'],
  manage_books: ['owner'],
  pair_devices: ['owner', 'admin', 'cashier'],
  own_account: COLLABORATOR_ROLES,
};

export function may(role: CollaboratorRole, action: DashboardAction): boolean {
  return MAY[action].includes(role);
}

/** The start page for the role. */
export function homeOf(role: CollaboratorRole): string {
  return may(role, 'read') ? '/app' : '/app/till';
}

/** Roles that allow the action, for error messages. */
export function rolesThatMay(action: DashboardAction): readonly CollaboratorRole[] {
  return MAY[action];
}

const ROLE_NAMES = {
  owner: 'Owner',
  admin: 'Admin',
  developer: 'Developer',
  viewer: 'Viewer',
  cashier: 'Cashier',
} as const;

/** Display name of the role. */
export function shownRole(role: CollaboratorRole): (typeof ROLE_NAMES)[CollaboratorRole] {
  return ROLE_NAMES[role];
}

/**
 * Progress of a sign-in: password verified and second factor not enrolled; password verified and second factor pending; or
 * complete.
 */
export type SessionStage = 'enrolling' | 'challenged' | 'signed_in';
