import { Injectable } from '@nestjs/common';
import type { SignInStage } from '#shared/kernel/dashboard-access.js';
import { newId, type CollaboratorId, type DashboardSessionId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import type { Collaborator } from '#contexts/identity/domain/people/collaborator.js';
import {
  type ListedSession,
  type ActiveSession,
  type RequestSource,
  PENDING_FACTOR_VALID_MINUTES,
  SESSION_IDLE_MINUTES,
  SESSION_LIFETIME_HOURS,
  SIGN_IN_TIMEOUT_MINUTES,
} from '#contexts/identity/application/people/dashboard-sessions.js';
import { COLLABORATOR_COLUMNS } from './collaborators.js';

const MAX_USER_AGENT_LENGTH = 300;

const LIVE_SESSION_CONDITION = `s.expires_at > platform.now() AND s.last_seen_at > platform.now() - interval '${SESSION_IDLE_MINUTES} minutes'`;

const READ_LIVE_SESSION = `
SELECT s.id AS session_id, s.stage, s.factor_proven_at, s.last_seen_at < platform.now() - interval '1 minute' AS is_unseen,
  EXISTS (SELECT FROM identity.passkeys k WHERE k.collaborator_id = c.id) AS has_passkey,
  platform.now() AS now, o.name AS organization_name, o.time_zone, ${COLLABORATOR_COLUMNS}
FROM identity.dashboard_sessions s
JOIN identity.collaborators c ON c.id = s.collaborator_id AND c.enabled
JOIN identity.organizations o ON o.id = c.organization_id
WHERE s.token_digest = $1 AND ${LIVE_SESSION_CONDITION}`;

type ActiveSessionRow = Collaborator &
  Omit<ActiveSession, 'id' | 'collaborator'> & { readonly sessionId: DashboardSessionId };

/** Identified by the SHA-256 digest of their cookie. Ended and expired sessions count as not found. */
@Injectable()
export class DashboardSessions {
  constructor(private readonly database: Database) {}

  async findActive(tokenDigest: Buffer): Promise<ActiveSession | null> {
    const [row] = await this.database.query<ActiveSessionRow>(READ_LIVE_SESSION, [tokenDigest]);
    if (row === undefined) return null;
    const {
      sessionId: id,
      stage,
      factorProvenAt,
      isUnseen,
      hasPasskey,
      now,
      organizationName,
      timeZone,
      ...collaborator
    } = row;
    return { id, stage, factorProvenAt, isUnseen, hasPasskey, now, organizationName, timeZone, collaborator };
  }

  async recordUse(id: DashboardSessionId): Promise<void> {
    await this.database.query(
      'UPDATE identity.dashboard_sessions SET last_seen_at = platform.now() WHERE id = $1',
      [id],
    );
  }

  async begin(
    collaborator: CollaboratorId,
    stage: SignInStage,
    tokenDigest: Buffer,
    { address, userAgent }: RequestSource,
  ): Promise<DashboardSessionId> {
    const id = newId<DashboardSessionId>();
    await this.database.query(
      `INSERT INTO identity.dashboard_sessions
         (id, token_digest, collaborator_id, stage, address, user_agent, created_at, last_seen_at, expires_at)
       SELECT $1, $2, $3, $4, $5, $6, now, now, now + $7::interval FROM platform.now() AS now`,
      [
        id,
        tokenDigest,
        collaborator,
        stage,
        address,
        userAgent.slice(0, MAX_USER_AGENT_LENGTH),
        lifetimeOf(stage),
      ],
    );
    return id;
  }

  /** The old cookie becomes invalid. @returns false if the session has ended */
  async renewAfterSecondFactor(
    id: DashboardSessionId,
    stage: SignInStage,
    tokenDigest: Buffer,
  ): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE identity.dashboard_sessions AS s
       SET stage = $2, token_digest = $3, challenge = NULL, last_seen_at = platform.now(), factor_proven_at = platform.now(),
         expires_at = CASE WHEN s.stage = $2 THEN s.expires_at ELSE platform.now() + $4::interval END
       WHERE s.id = $1 AND ${LIVE_SESSION_CONDITION} RETURNING 1`,
      [id, stage, tokenDigest, lifetimeOf(stage)],
    );
    return rows.length > 0;
  }

  /** @returns null if the session ended or belongs to another person */
  async lockSessionRow(collaborator: CollaboratorId, id: DashboardSessionId): Promise<SignInStage | null> {
    const [row] = await this.database.queryInTransaction<{ stage: SignInStage }>(
      `SELECT s.stage FROM identity.dashboard_sessions s WHERE s.id = $1 AND s.collaborator_id = $2 AND ${LIVE_SESSION_CONDITION} FOR UPDATE`,
      [id, collaborator],
    );
    return row?.stage ?? null;
  }

  async storeChallenge(id: DashboardSessionId, challenge: string): Promise<void> {
    await this.database.query(
      `UPDATE identity.dashboard_sessions
       SET challenge = $2, challenge_until = platform.now() + interval '${PENDING_FACTOR_VALID_MINUTES} minutes' WHERE id = $1`,
      [id, challenge],
    );
  }

  /** Returns and deletes the challenge. Null also if it has expired. */
  async consumeChallenge(id: DashboardSessionId): Promise<string | null> {
    const [row] = await this.database.query<{ challenge: string | null }>(
      `UPDATE identity.dashboard_sessions s SET challenge = NULL
       FROM (SELECT id, challenge FROM identity.dashboard_sessions
         WHERE id = $1 AND challenge_until > platform.now() FOR UPDATE) taken
       WHERE s.id = taken.id RETURNING taken.challenge`,
      [id],
    );
    return row?.challenge ?? null;
  }

  async end(collaborator: CollaboratorId, id: DashboardSessionId): Promise<void> {
    await this.database.query(
      'DELETE FROM identity.dashboard_sessions WHERE collaborator_id = $1 AND id = $2',
      [collaborator, id],
    );
  }

  async endAll(collaborator: CollaboratorId, but: DashboardSessionId | null = null): Promise<void> {
    await this.database.query(
      'DELETE FROM identity.dashboard_sessions WHERE collaborator_id = $1 AND id IS DISTINCT FROM $2',
      [collaborator, but],
    );
  }

  /** Sessions that have not enrolled a first factor yet. */
  async endEnrolling(collaborator: CollaboratorId, but: DashboardSessionId): Promise<void> {
    await this.database.queryInTransaction(
      `DELETE FROM identity.dashboard_sessions WHERE collaborator_id = $1 AND stage = 'enrolling' AND id <> $2`,
      [collaborator, but],
    );
  }

  list(collaborator: CollaboratorId): Promise<ListedSession[]> {
    return this.database.query<ListedSession>(
      `SELECT s.id, s.address, s.user_agent, s.created_at, s.last_seen_at FROM identity.dashboard_sessions s
       WHERE s.collaborator_id = $1 AND s.stage = 'signed_in' AND ${LIVE_SESSION_CONDITION} ORDER BY s.last_seen_at DESC, s.id LIMIT 100`,
      [collaborator],
    );
  }
}

function lifetimeOf(stage: SignInStage): string {
  return stage === 'signed_in' ? `${SESSION_LIFETIME_HOURS} hours` : `${SIGN_IN_TIMEOUT_MINUTES} minutes`;
}
