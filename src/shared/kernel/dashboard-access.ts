export type CollaboratorRole = 'owner' | 'admin' | 'developer' | 'viewer' | 'cashier';

export const COLLABORATOR_ROLES: readonly CollaboratorRole[] = [
  'owner',
  'admin',
  'developer',
  'viewer',
  'cashier',
];

export type DashboardPermission =
  'read' | 'test_webhooks' | 'manage_keys' | 'manage' | 'manage_books' | 'pair_devices' | 'own_account';

const ROLES_BY_ACTION: Record<DashboardPermission, readonly CollaboratorRole[]> = {
  read: ['owner', 'admin', 'developer', 'viewer'],
  test_webhooks: ['owner', 'admin', 'developer'],
  manage_keys: ['owner', 'admin'],
  manage: ['owner', 'admin'],
  manage_books: ['owner'],
  pair_devices: ['owner', 'admin', 'cashier'],
  own_account: COLLABORATOR_ROLES,
};

export function hasPermission(role: CollaboratorRole, action: DashboardPermission): boolean {
  return ROLES_BY_ACTION[action].includes(role);
}

export function startPageOf(role: CollaboratorRole): string {
  return hasPermission(role, 'read') ? '/app' : '/app/till';
}

export function rolesWithPermission(action: DashboardPermission): readonly CollaboratorRole[] {
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
 * `enrolling`: no second factor enrolled yet. `challenged`: second factor not yet verified. `signed_in`: complete.
 */
export type SignInStage = 'enrolling' | 'challenged' | 'signed_in';
