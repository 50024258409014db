import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { CollaboratorRole, SignInStage } from '#shared/kernel/dashboard-access.js';

type Query = (text: string, values: unknown[]) => Promise<unknown>;

const NOBODYS_PASSWORD =
  '$argon2id$v=19$m=19456,t=2,p=1$/en4K/3zaioUVlWP1OnVQg$VAhfBKhZ6uWNnuW8lIWkBsNp3rQIUn/4aKIglVR2Usw';

/** A person of the organization, signed in, without a password or factor that works. @returns the `Cookie` header */
export async function signedIn(
  query: Query,
  organizationId: string,
  role: CollaboratorRole,
  stage: SignInStage = 'signed_in',
): Promise<string> {
  const [id, token] = [randomUUID(), randomBytes(32).toString('base64url')];
  await query(
    `INSERT INTO identity.collaborators (id, organization_id, email, name, role, password_hash, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, platform.now(), platform.now())`,
    [id, organizationId, `${role}-${id}@shop.example`, `Test ${role}`, role, NOBODYS_PASSWORD],
  );
  await query(
    `INSERT INTO identity.audit_log (at, actor, action, organization_id, subject_id, after)
     SELECT now(), 'test', 'collaborator.joined', organization_id, id,
       jsonb_build_object('email', email, 'name', name, 'role', role, 'enabled', enabled)
     FROM identity.collaborators WHERE id = $1`,
    [id],
  );
  await query(
    `INSERT INTO identity.dashboard_sessions
       (id, token_digest, collaborator_id, stage, address, user_agent, created_at, last_seen_at, expires_at,
        factor_proven_at)
     VALUES ($1, $2, $3, $4, '127.0.0.1', 'test', platform.now(), platform.now(), platform.now() + interval '12 hours',
       platform.now())`,
    [randomUUID(), createHash('sha256').update(token).digest(), id, stage],
  );
  return `__Host-dashboard_session=${token}`;
}

export const OWN_FORM = {
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
};
