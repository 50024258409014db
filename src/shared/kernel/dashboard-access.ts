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
  /** Sees the organization's payments, settlements and settings. */
  | 'read'
  /** Sends test webhooks and resends deliveries. */
  | 'test_webhooks'
  | 'manage_keys'
  /** Changes everything that no other action covers. */
  | 'manage'
  /** Closes and reopens accounting months. */
  | 'manage_books'
  /** Pairs a phone with a point of sale. */
  | 'pair_devices'
  /** Manages only the person's own sessions, password and second factor. */
  | 'own_account';

const ROLES_BY_ACTION: Record<DashboardAction, readonly CollaboratorRole[]> = {
  read: ['owner', 'admin', 'developer', 'viewer'],
  test_webhooks: ['owner', 'admin', 'developer'],
  manage_keys: ['owner', 'admin'],
  manage: ['owner', 'admin'],
  manage_books: ['owner'],
  pair_devices: ['owner', 'admin', 'cashier'],
  own_account: COLLABORATOR_ROLES,
};

export function may(role: CollaboratorRole, action: DashboardAction): boolean {
  return ROLES_BY_ACTION[action].includes(role);
}

/** Returns the first page after sign-in for the role. */
export function startPageOf(role: CollaboratorRole): string {
  return may(role, 'read') ? '/app' : '/app/till';
}

/** Returns the roles that allow the action, for error messages. */
export function rolesThatMay(action: DashboardAction): readonly CollaboratorRole[] {
  return ROLES_BY_ACTION[action];
}

const ROLE_NAMES = {
  owner: 'Owner',
  admin: 'Admin',
  developer: 'Developer',
  viewer: 'Viewer',
  cashier: 'Cashier',
} as const;

export function roleName(role: CollaboratorRole): (typeof ROLE_NAMES)[CollaboratorRole] {
  return ROLE_NAMES[role];
}

/**
 * Progress of a sign-in. `enrolling`: password verified, no second factor enrolled yet. `challenged`: password
 * verified, second factor not yet verified. `signed_in`: complete.
 */
export type SessionStage = 'enrolling' | 'challenged' | 'signed_in';
