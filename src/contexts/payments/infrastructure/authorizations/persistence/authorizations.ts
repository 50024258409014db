import { Injectable } from '@nestjs/common';
import type { OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import type { SignedTransferAuthorization } from '#contexts/networks/contract/authorized-transfers.js';
import type { GasSponsorshipLimits } from '#contexts/networks/contract/network-catalogue.js';
import type {
  AuthorizationProgress,
  DueAuthorization,
  AuthorizationOutcome,
  AuthorizationFailureDetail,
  PayerAuthorization,
  AuthorizationPostponement,
  AuthorizationTransfer,
} from '#contexts/payments/domain/authorizations/authorization.js';
import type { SponsoredCosts } from '#contexts/payments/domain/authorizations/sponsoring-rule.js';
import {
  ACTUAL_OR_RESERVED_COST,
  DUE_AUTHORIZATIONS,
  FIND_AUTHORIZATION,
  IS_WITHIN_REMAINING_AMOUNT,
  IS_MATCHING_TRANSFER,
  type AuthorizationRow,
  toSignedAuthorization,
  unseenSumSql,
} from './authorization-rows.js';

@Injectable()
export class TransferAuthorizations {
  constructor(private readonly database: Database) {}

  /** Searches this request first, including assets selected earlier, then the token across all requests. */
  async find(
    {
      network,
      token,
      authorization,
    }: Pick<SignedTransferAuthorization, 'authorization'> & Partial<SignedTransferAuthorization>,
    request: PaymentRequestId,
  ): Promise<AuthorizationProgress | null> {
    type Row = AuthorizationRow &
      Pick<AuthorizationProgress, 'state' | 'transactionHash' | 'isSeen'> & {
        failureReason: AuthorizationFailureDetail['reason'] | null;
        failure: string | null;
      };
    const [row] = await this.database.query<Row>(FIND_AUTHORIZATION, [
      network ?? null,
      token ?? null,
      authorization.from,
      authorization.nonce,
      request,
    ]);
    if (row === undefined) return null;
    const { state, transactionHash, isSeen, failureReason: reason, failure: says, ...rest } = row;
    const failure = reason === null || says === null ? null : { reason, says };
    return { ...toSignedAuthorization(rest), state, transactionHash, isSeen, failure };
  }

  /** Locks storing authorizations on the network, and selecting another asset, until the unit of work ends. */
  async lockNetworkAndRequest(network: string, request: PaymentRequestId): Promise<void> {
    await this.database.queryInTransaction(
      `SELECT pg_advisory_xact_lock(hashtextextended('authorizations on ' || $1, 0))`,
      [network],
    );
    await this.database.queryInTransaction(
      'SELECT FROM payments.payment_requests WHERE id = $1 FOR KEY SHARE',
      [request],
    );
  }

  async sumSponsoredCosts(
    network: string,
    request: PaymentRequestId,
    organization: OrganizationId,
  ): Promise<SponsoredCosts> {
    const [row] = await this.database.query<SponsoredCosts>(
      `SELECT COALESCE(sum(${ACTUAL_OR_RESERVED_COST}), 0) AS today,
         COALESCE(sum(${ACTUAL_OR_RESERVED_COST}) FILTER (WHERE organization_id = $3), 0) AS of_organization_today,
         (SELECT COALESCE(sum(${ACTUAL_OR_RESERVED_COST}), 0) FROM payments.authorizations
          WHERE payment_request_id = $2 AND network = $1) AS of_payment
       FROM payments.authorizations WHERE network = $1 AND created_at > platform.now() - interval '24 hours'`,
      [network, request, organization],
    );
    return row!;
  }

  /** Unfinished authorizations whose transfers are not yet seen, in smallest units. */
  async sumUnseenOfRequest(request: PaymentRequestId, uniqueAssetId: string): Promise<bigint> {
    const [row] = await this.database.query<{ value: bigint }>(
      unseenSumSql("a.payment_request_id = $1 AND a.unique_asset_id = $2 AND a.state IN ('queued', 'sent')"),
      [request, uniqueAssetId],
    );
    return row!.value;
  }

  async sumUnseenOfPayerAddress(network: string, token: string, from: string): Promise<bigint> {
    const [row] = await this.database.query<{ value: bigint }>(
      unseenSumSql("(a.network, a.token, a.from_address) = ($1, $2, $3) AND a.state IN ('queued', 'sent')"),
      [network, token, from],
    );
    return row!.value;
  }

  async store({ authorization, ...stored }: PayerAuthorization, limits: GasSponsorshipLimits): Promise<void> {
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    await this.database.queryInTransaction(
      `INSERT INTO payments.authorizations (id, payment_request_id, organization_id, account_id, network, token,
         unique_asset_id, from_address, to_address, value, valid_after, valid_before, nonce, signature, reserved_cost,
         limit_of_payment, limit_of_organization, limit_of_day)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
      [
        ...[stored.id, stored.paymentRequestId, stored.organizationId, stored.accountId],
        ...[stored.network, stored.token, stored.uniqueAssetId, from, to, value.toString()],
        ...[validAfter.toString(), validBefore.toString(), nonce],
        ...[Buffer.from(stored.signature.slice(2), 'hex'), stored.reservedCost.toString()],
        ...[limits.perPayment, limits.perOrganizationAndDay, limits.perDay].map(String),
      ],
    );
  }

  /** Queued ones first, at most half of `limit` in each state. */
  async listDue(network: string, limit: number): Promise<DueAuthorization[]> {
    type Row = AuthorizationRow & {
      state: DueAuthorization['state'];
      refusals: number;
      isReadPastUse: boolean;
      status: NonNullable<DueAuthorization['request']>['status'] | null;
      expiresAt: Date;
      selectedAssetId: string | null;
      missing: bigint | null;
      coming: bigint;
    };
    const rows = await this.database.query<Row>(DUE_AUTHORIZATIONS, [network, Math.ceil(limit / 2)]);
    return rows.map(
      ({ state, refusals, isReadPastUse, status, expiresAt, selectedAssetId, missing, coming, ...row }) => {
        const asked = { expiresAt, uniqueAssetId: selectedAssetId, missing: missing ?? 0n, coming };
        const request = status === null ? null : { status, ...asked };
        return { ...toSignedAuthorization(row), state, refusals, isReadPastUse, request };
      },
    );
  }

  /**
   * Call in the unit of work that reserves the nonce. False if the authorization has ended, was sent, or pays too
   * much.
   */
  async markSent(id: string): Promise<boolean> {
    const sent = await this.database.queryInTransaction(
      `UPDATE payments.authorizations SET state = 'sent', sent_at = platform.now(), held = NULL, refusals = 0, used_at = NULL
       WHERE id = $1 AND state = 'queued' AND ${IS_WITHIN_REMAINING_AMOUNT} RETURNING id`,
      [id],
    );
    return sent.length > 0;
  }

  async postpone(
    id: string,
    { seconds, held, isRefused = false, isUsed = false, transactionHash }: AuthorizationPostponement,
  ): Promise<void> {
    await this.database.query(
      `UPDATE payments.authorizations SET held = $2, due_at = platform.now() + make_interval(secs => $3),
         refusals = CASE WHEN $4 THEN refusals + 1 ELSE 0 END,
         used_at = CASE WHEN $5 THEN COALESCE(used_at, platform.now()) END, transaction_hash = $6
       WHERE id = $1 AND state IN ('queued', 'sent')`,
      [id, held ?? null, seconds, isRefused, isUsed, transactionHash ?? null],
    );
  }

  async findTransferIn(
    { id }: PayerAuthorization,
    transactionHash: string,
  ): Promise<AuthorizationTransfer | null> {
    const [row] = await this.database.query<AuthorizationTransfer>(
      `SELECT t.transaction_hash, t.final AS is_final FROM payments.authorizations a JOIN payments.transfers t ON ${IS_MATCHING_TRANSFER}
       WHERE a.id = $1 AND t.transaction_hash = $2 LIMIT 1`,
      [id, transactionHash],
    );
    return row ?? null;
  }

  /** The first matching transfer since the authorization was stored that no other authorization caused. */
  async findTransferByThirdParty({ id }: PayerAuthorization): Promise<AuthorizationTransfer | null> {
    const [row] = await this.database.query<AuthorizationTransfer>(
      `SELECT t.transaction_hash, t.final AS is_final FROM payments.authorizations a JOIN payments.transfers t ON ${IS_MATCHING_TRANSFER}
       WHERE a.id = $1 AND t.detected_at >= a.created_at
         AND NOT EXISTS (SELECT FROM networks.public_sendings s JOIN payments.authorizations o ON o.id = s.id
           WHERE s.network = t.network AND s.mined_hash = t.transaction_hash AND o.id <> a.id)
         AND NOT EXISTS (SELECT FROM payments.authorizations o
           WHERE o.payment_request_id = a.payment_request_id AND o.transaction_hash = t.transaction_hash AND o.id <> a.id)
       ORDER BY t.block_number, t.index LIMIT 1`,
      [id],
    );
    return row ?? null;
  }

  /** Read by the watcher, and a reorganization can no longer remove the block. */
  async isFinalBlockRead(network: string, blockNumber: number): Promise<boolean> {
    const rows = await this.database.query(
      'SELECT FROM payments.chain_cursors WHERE network = $1 AND final_number >= $2',
      [network, blockNumber],
    );
    return rows.length > 0;
  }

  /**
   * A queued authorization can end only if no nonce is reserved for it. False if it has already ended or was sent.
   */
  async end(
    { id, state }: Pick<DueAuthorization, 'id' | 'state'>,
    { transactionHash, gasCost, failure }: AuthorizationOutcome,
  ): Promise<boolean> {
    const ended = await this.database.query(
      `UPDATE payments.authorizations SET state = CASE WHEN $4::text IS NULL THEN 'seen' ELSE 'failed' END, gas_cost = $3,
         failure_reason = $4, failure = $5, transaction_hash = $6, held = NULL, ended_at = platform.now()
       WHERE id = $1 AND state = $2
         AND (state = 'sent' OR NOT EXISTS (SELECT FROM networks.public_sendings s WHERE s.id = $1)) RETURNING id`,
      [id, state, gasCost.toString(), failure?.reason ?? null, failure?.says ?? null, transactionHash],
    );
    return ended.length > 0;
  }
}
