import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { PaymentLinkId, PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { callerRangeDigestOf } from '../../requests/persistence/address-numbers.js';
import type {
  PaymentLinkSession,
  SessionEntryPointId,
} from '#contexts/payments/domain/links/payment-link-session.js';

/** Prefix length in bytes, and limit of sessions as a multiple of $3. */
const CALLER_RANGES = `(VALUES (16, 1), (12, 4), (8, 16)) AS range (bytes, share)`;
const IS_IN_RANGE = `o.source >= substring($2::bytea FOR range.bytes)
  AND o.source <= substring($2::bytea FOR range.bytes) || '\\xffffffffffffffff'`;

/**
 * The end of the first unpaid session with an asset in each full range. A session that was ended early counts until
 * ten minutes after its creation, so that callers cannot end sessions by opening others without limit.
 */
const FULL_UNTIL = `SELECT max(of_range.first_ends_at) AS full_until FROM ${CALLER_RANGES} CROSS JOIN LATERAL (
  SELECT count(*) AS count, min(open.open_until) AS first_ends_at FROM (
    SELECT o.open_until FROM payments.link_openings o JOIN payments.payment_requests r ON r.id = o.payment_request_id
    WHERE o.payment_link_id = $1 AND ${IS_IN_RANGE} AND o.open_until > platform.now()
      AND (r.status = 'created' OR r.status = 'expired' AND r.counts_until < o.open_until
        AND r.created_at > platform.now() - interval '10 minutes'
        AND EXISTS (SELECT FROM payments.selections s WHERE s.payment_request_id = r.id))
    ORDER BY o.open_until LIMIT $3::bigint * range.share) open) of_range
WHERE of_range.count >= $3::bigint * range.share`;

const UNTOUCHED_SESSIONS = `FROM payments.link_openings o JOIN payments.payment_requests r ON r.id = o.payment_request_id
  WHERE o.payment_link_id = $1 AND o.open_until > platform.now() AND r.status = 'pending' AND r.expires_at > platform.now()`;

const UNTOUCHED_OF_CALLER_BEYOND = `SELECT DISTINCT beyond.id FROM ${CALLER_RANGES} CROSS JOIN LATERAL (
  SELECT r.id ${UNTOUCHED_SESSIONS} AND ${IS_IN_RANGE}
  ORDER BY r.expires_at DESC, r.id DESC OFFSET $3::bigint * range.share LIMIT $4) beyond`;

/**
 * The highest places are the oldest sessions of the heaviest callers. Ranges narrower than a /48 would not work,
 * because its holder has thousands of them.
 */
const UNTOUCHED_BEYOND = `
WITH untouched AS MATERIALIZED (
  SELECT r.id, r.expires_at,
    row_number() OVER (PARTITION BY substring(o.source FOR 8) ORDER BY r.expires_at DESC, r.id DESC) AS place ${UNTOUCHED_SESSIONS})
SELECT id FROM untouched ORDER BY place DESC, expires_at
LIMIT (SELECT least(greatest(count(*) - $2, 0), $3) FROM untouched)`;

export const LOCK_DUE_OPENINGS = `
SELECT payment_request_id AS id FROM payments.link_openings WHERE due_at <= platform.now()
ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED`;

export const DELETE_ENDED_LINK_SESSIONS = `
DELETE FROM payments.payment_link_sessions s USING payments.payment_requests r
WHERE s.payment_request_id = ANY($1) AND r.id = s.payment_request_id AND r.id = ANY($1)
  AND r.status NOT IN ('pending', 'created', 'processing')`;

/** A secret in a cookie identifies the payer; only its digest is stored. */
@Injectable()
export class PaymentLinkSessions {
  constructor(private readonly database: Database) {}

  async find(link: PaymentLinkId, payerSecret: string): Promise<PaymentLinkSession | undefined> {
    const [session] = await this.database.query<PaymentLinkSession>(
      `SELECT r.id AS request_id, c.session_id, r.status, r.expires_at, r.counts_until
       FROM payments.payment_link_sessions s
       JOIN payments.payment_requests r ON r.id = s.payment_request_id
       JOIN payments.checkouts c ON c.payment_request_id = s.payment_request_id
       WHERE s.payment_link_id = $1 AND s.cookie_digest = $2`,
      [link, digestSecret(payerSecret)],
    );
    return session;
  }

  /**
   * Compare-and-set in the unit of work that stores the request. False if the payer's request is no longer `instead`.
   */
  async assignToPayer(
    link: PaymentLinkId,
    payerSecret: string,
    request: PaymentRequestId,
    instead: PaymentRequestId | null,
  ): Promise<boolean> {
    const stored = await this.database.queryInTransaction(
      `INSERT INTO payments.payment_link_sessions AS s (payment_link_id, cookie_digest, payment_request_id, updated_at)
       VALUES ($1, $2, $3, platform.now())
       ON CONFLICT (payment_link_id, cookie_digest)
       DO UPDATE SET payment_request_id = EXCLUDED.payment_request_id, updated_at = EXCLUDED.updated_at
       WHERE s.payment_request_id = $4::uuid
       RETURNING 1 AS stored`,
      [link, digestSecret(payerSecret), request, instead],
    );
    return stored.length === 1;
  }

  /**
   * Counts unpaid sessions with an asset, and sessions of the last ten minutes that were ended early. For an IPv6
   * caller, also those of its /56 and /48, with 4 and 16 times the maximum. Null if there are fewer than `max`.
   */
  async findLimitReachedUntil(link: SessionEntryPointId, caller: string, max: number): Promise<Date | null> {
    const [row] = await this.database.query<{ fullUntil: Date | null }>(FULL_UNTIL, [
      link,
      callerRangeDigestOf(caller),
      max,
    ]);
    return row!.fullUntil;
  }

  /** Omits the newest `max` sessions. Uses the address ranges of `findTimeFullUntil`. */
  async listExcessUnselectedOfCaller(
    link: SessionEntryPointId,
    caller: string,
    max: number,
    limit: number,
  ): Promise<PaymentRequestId[]> {
    const rows = await this.database.query<{ id: PaymentRequestId }>(UNTOUCHED_OF_CALLER_BEYOND, [
      link,
      callerRangeDigestOf(caller),
      max,
      limit,
    ]);
    return rows.map(({ id }) => id);
  }

  /** @param max counting stops at this number */
  async countUnselected(link: SessionEntryPointId, max: number): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM (SELECT ${UNTOUCHED_SESSIONS} LIMIT $2) untouched`,
      [link, max],
    );
    return row!.count;
  }

  /**
   * Selects the oldest sessions of the addresses and /48s with the most sessions. Until the unit of work ends,
   * concurrent calls find none of them.
   */
  async listExcessUnselected(
    link: SessionEntryPointId,
    max: number,
    limit: number,
  ): Promise<PaymentRequestId[]> {
    const [gate] = await this.database.queryInTransaction<{ free: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('untouched ' || $1, 0)) AS free`,
      [link],
    );
    if (!gate!.free) return [];
    const rows = await this.database.queryInTransaction<{ id: PaymentRequestId }>(UNTOUCHED_BEYOND, [
      link,
      max,
      limit,
    ]);
    return rows.map(({ id }) => id);
  }

  /** Blocks other openings by the same address or /48 until the unit of work ends, so that counts are exact. */
  async lockOpeningsByCaller(link: SessionEntryPointId, caller: string): Promise<void> {
    const site = callerRangeDigestOf(caller).readBigInt64BE();
    await this.database.queryInTransaction('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', [
      link,
      site.toString(),
    ]);
  }

  /** Call in the unit of work that stores the session. */
  async recordOpening(
    link: SessionEntryPointId,
    caller: string,
    request: PaymentRequestId,
    retentionHours: number,
  ): Promise<void> {
    await this.database.queryInTransaction(
      `INSERT INTO payments.link_openings (payment_request_id, payment_link_id, source, open_until, due_at)
       SELECT id, $2, $3, counts_until, counts_until + make_interval(hours => $4)
       FROM payments.payment_requests WHERE id = $1`,
      [request, link, callerRangeDigestOf(caller), retentionHours],
    );
  }

  /** Locked until the unit of work ends. Skips locked sessions. */
  async lockDueForPruning(limit: number): Promise<PaymentRequestId[]> {
    const rows = await this.database.queryInTransaction<{ id: PaymentRequestId }>(LOCK_DUE_OPENINGS, [limit]);
    return rows.map(({ id }) => id);
  }

  /** Open sessions are due again an hour later, paid sessions never. */
  async endRetention(due: readonly PaymentRequestId[]): Promise<void> {
    await this.database.queryInTransaction(
      `UPDATE payments.link_openings o SET due_at = platform.now() + interval '1 hour'
       FROM payments.payment_requests r WHERE r.id = o.payment_request_id AND o.payment_request_id = ANY($1)
         AND r.status IN ('pending', 'created', 'processing')`,
      [due],
    );
    // Includes paid sessions: only the payer's cookie finds the row, and the cookie has expired.
    await this.database.queryInTransaction(DELETE_ENDED_LINK_SESSIONS, [due]);
    await this.database.queryInTransaction(
      `DELETE FROM payments.link_openings WHERE payment_request_id = ANY($1) AND due_at <= platform.now()`,
      [due],
    );
  }
}

/** The secret has 192 random bits, so its digest needs no salt. */
function digestSecret(payerSecret: string): Buffer {
  return createHash('sha256').update(payerSecret).digest();
}
