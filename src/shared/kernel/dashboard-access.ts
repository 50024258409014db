/** The role of a person in an organization (docs/concepts/security.md, "Roles"). */
export type CollaboratorRole = 'owner' | 'admin' | 'developer' | 'viewer' | 'cashier';

export const COLLABORATOR_ROLES: readonly CollaboratorRole[] = [
  'owner',
  'admin',
  'developer',
  'viewer',
  'cashier',
];

/** The purpose of a page or form of the dashboard. */
export type DashboardAction =
  /** Sees what the organization collects. */
  | 'read'
  /** Sends tests and resends deliveries. */
  | 'test_webhooks'
  /** Sees and changes API keys. */
  | 'manage_keys'
  /** Changes whatever else belongs to the organization. */
  | 'manage'
  /** Closes months of the books and opens them again. */
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

/** The page that a person of the role begins at. */
export function homeOf(role: CollaboratorRole): string {
  return may(role, 'read') ? '/app' : '/app/till';
}

/** The roles that may, for the sentence of a refusal. */
export function rolesThatMay(action: DashboardAction): readonly CollaboratorRole[] {
  return MAY[action];
}

/** The roles' names for people. */
const ROLE_NAMES = {
  owner: 'Owner',
  admin: 'Admin',
  developer: 'Developer',
  viewer: 'Viewer',
  cashier: 'Cashier',
} as const;

/** The role's name for people. */
export function shownRole(role: CollaboratorRole): (typeof ROLE_NAMES)[CollaboratorRole] {
  return ROLE_NAMES[role];
}

/** How far a person has signed in: the password alone, with a second factor to enrol or to show; or both. */
export type SessionStage = 'enrolling' | 'challenged' | 'signed_in';
