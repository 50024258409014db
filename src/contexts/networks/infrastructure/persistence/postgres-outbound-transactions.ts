import { Injectable } from '@nestjs/common';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { Database } from '#shared/platform/database/database.js';
import { toDisplayAddress } from '../../contract/address-spelling.js';
import type { SignedTransaction } from '../../application/outbound/outbound-chain.js';
import {
  type OutboundAttempt,
  type UnrecordedOutboundTransaction,
  type OutboundTransactionDraft,
  type OutboundStateChange,
  OutboundTransactions,
} from '../../application/outbound/outbound-transactions.js';
import {
  cancellingCall,
  type OutboundTransaction,
  isOutboundTransitionAllowed,
} from '../../domain/outbound/outbound-transaction.js';
import type { SenderAccountState } from '../../domain/outbound/gas-key.js';
import {
  nextNonce,
  type RecordedNonces,
  nonceGap,
  nonceGapRefusal,
} from '../../domain/outbound/nonce-gap.js';
import {
  readRecordedNonces,
  toOutboundAttempt,
  type OutboundAttemptRow,
  bytesOf,
  hexOf,
  toOutboundTransaction,
  type OutboundTransactionRow,
} from './outbound-rows.js';

const UNFINISHED = `state NOT IN ('final', 'reverted', 'foreign', 'cancelled')`;

@Injectable()
export class PostgresOutboundTransactions extends OutboundTransactions {
  private readonly listeners: ((network: string) => void)[] = [];

  constructor(private readonly database: Database) {
    super();
  }

  async find(id: string): Promise<OutboundTransaction | null> {
    const [row] = await this.database.query<OutboundTransactionRow>(
      'SELECT * FROM networks.sendings WHERE id = $1',
      [id],
    );
    return row === undefined ? null : toOutboundTransaction(row);
  }

  async findByNonce(network: string, sender: string, nonce: number): Promise<OutboundTransaction | null> {
    const [row] = await this.database.query<OutboundTransactionRow>(
      `SELECT * FROM networks.sendings WHERE network = $1 AND sender = $2 AND nonce = $3
       ORDER BY state = 'foreign' LIMIT 1`,
      [network, sender, nonce],
    );
    return row === undefined ? null : toOutboundTransaction(row);
  }

  reserve(
    draft: OutboundTransactionDraft,
    { latestCount, mostCount }: Pick<SenderAccountState, 'latestCount' | 'mostCount'>,
    alongside?: () => Promise<void>,
  ): Promise<OutboundTransaction> {
    const { id, network, sender, key, call, feeCeiling, purpose } = draft;
    return this.database.run(async () => {
      await this.lock(network, sender);
      const stored = await this.find(id);
      if (stored !== null) return stored;
      if (purpose === 'factory_deployment') await this.refuseSecondDeployment(network, sender);
      const accounted = await this.recordedNonces(network, sender);
      const gap = nonceGap(key, mostCount, accounted);
      if (gap !== null) throw nonceGapRefusal({ network, key, address: toDisplayAddress(sender) }, gap);
      const nonce = nextNonce(latestCount, accounted.highest);
      const [row] = await this.database.queryInTransaction<OutboundTransactionRow>(
        `INSERT INTO networks.sendings
           (id, network, sender, nonce, recipient, data, value, gas_limit, fee_ceiling, purpose, key)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING *`,
        [
          ...[id, network, sender, nonce, call.to, bytesOf(call.data), call.value.toString()],
          ...[call.gasLimit.toString(), feeCeiling.toString(), purpose, key],
        ],
      );
      await alongside?.();
      this.database.afterCommit(() => this.listeners.forEach((listener) => listener(network)));
      return toOutboundTransaction(row!);
    });
  }

  recordedNonces(network: string, sender: string): Promise<RecordedNonces> {
    return readRecordedNonces(this.database, network, sender);
  }

  release<T>(
    { id, network, sender }: Pick<OutboundTransaction, 'id' | 'network' | 'sender'>,
    alongside: () => Promise<T>,
  ): Promise<T | null> {
    return this.database.run(async () => {
      await this.lock(network, sender);
      const { highest } = await this.recordedNonces(network, sender);
      // Releases only the highest nonce, because the nonces that may be reused must come after all used ones.
      const released = await this.database.queryInTransaction(
        `UPDATE networks.sendings SET state = 'foreign', updated_at = platform.now(),
           response = 'Nothing was signed for it, and its nonce was released.'
         WHERE id = $1 AND state = 'reserved' AND nonce = $2 RETURNING id`,
        [id, highest],
      );
      return released.length === 0 ? null : alongside();
    });
  }

  adoptUnrecorded(lost: UnrecordedOutboundTransaction): Promise<boolean> {
    const { id, network, sender, key, purpose, nonce, hash, blockNumber, signed } = lost;
    // If the transaction is not a call that the service signs, the row stores only its nonce and hash.
    const { to, data, value, gasLimit } = signed?.call ?? cancellingCall(sender, 1n);
    return this.database.run(async () => {
      await this.lock(network, sender);
      const known = await this.database.query(
        `SELECT FROM networks.sendings WHERE network = $1 AND sender = $2 AND nonce = $3 AND (state <> 'foreign' OR adopted)`,
        [network, sender, nonce],
      );
      if (known.length > 0) return false;
      await this.database.queryInTransaction(
        `INSERT INTO networks.sendings (id, network, sender, nonce, recipient, data, value, gas_limit, fee_ceiling, purpose,
           key, state, attempts, response, used_by, adopted)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, true)`,
        [
          ...[id, network, sender, nonce, to, bytesOf(data), value.toString(), gasLimit.toString()],
          ...[signed?.fees.maxFee.toString() ?? '1', purpose, key],
          ...(signed === null ? ['foreign', 0] : ['broadcast', 1]),
          ...[`Found on the chain, in block ${blockNumber}.`, signed === null ? hash : null],
        ],
      );
      if (signed !== null)
        await this.store({ id, network, number: 1 }, { ...signed, hash, head: null, cancels: false });
      return true;
    });
  }

  private async lock(network: string, sender: string): Promise<void> {
    await this.database.queryInTransaction('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `sending ${network} ${sender}`,
    ]);
  }

  /** Without the lock, two concurrent runs of the command would both pay for a deployment. */
  private async refuseSecondDeployment(network: string, sender: string): Promise<void> {
    const [begun] = await this.database.query<{ id: string }>(
      `SELECT id FROM networks.sendings WHERE network = $1 AND sender = $2 AND purpose = 'factory_deployment'
         AND ${UNFINISHED}`,
      [network, sender],
    );
    if (begun !== undefined)
      throw stateConflict(
        `The outbound transaction ${begun.id} already deploys the factory. Run the command again.`,
      );
  }

  async unfinished(network: string): Promise<OutboundTransaction[]> {
    const rows = await this.database.query<OutboundTransactionRow>(
      `SELECT * FROM networks.sendings WHERE network = $1 AND ${UNFINISHED} ORDER BY sender, nonce`,
      [network],
    );
    return rows.map(toOutboundTransaction);
  }

  async committedCost(network: string, sender: string): Promise<bigint> {
    // Excludes mined transactions, which are already paid for.
    const [row] = await this.database.query<{ amount: bigint }>(
      `SELECT COALESCE(sum(s.value + s.gas_limit * COALESCE(
         (SELECT max(a.max_fee) FROM networks.sending_attempts a WHERE a.sending_id = s.id), s.fee_ceiling)), 0) AS amount
       FROM networks.sendings s
       WHERE s.network = $1 AND s.sender = $2 AND s.state IN ('reserved', 'signed', 'broadcast')`,
      [network, sender],
    );
    return row!.amount;
  }

  async attempts(id: string): Promise<OutboundAttempt[]> {
    const rows = await this.database.query<OutboundAttemptRow>(
      'SELECT * FROM networks.sending_attempts WHERE sending_id = $1 ORDER BY number',
      [id],
    );
    return rows.map(toOutboundAttempt);
  }

  async minedAttempts(
    network: string,
    sender: string,
    from: number,
    below: number,
  ): Promise<SignedTransaction[]> {
    const rows = await this.database.query<Pick<OutboundAttemptRow, 'raw' | 'hash'>>(
      `SELECT a.raw, a.hash FROM networks.sendings s
       JOIN networks.sending_attempts a ON a.sending_id = s.id AND a.hash = s.mined_hash
       WHERE s.network = $1 AND s.sender = $2 AND s.nonce >= $3 AND s.nonce < $4
         AND s.state IN ('final', 'reverted', 'cancelled') ORDER BY s.nonce`,
      [network, sender, from, below],
    );
    return rows.map(({ raw, hash }) => ({ raw: hexOf(raw), hash }));
  }

  addAttempt(
    sending: OutboundTransaction,
    { raw, hash, fees, head, cancels }: Omit<OutboundAttempt, 'number' | 'at'>,
  ): Promise<boolean> {
    refuseEdge(sending, 'signed');
    return this.database.run(async () => {
      const rows = await this.database.queryInTransaction(
        `UPDATE networks.sendings SET state = 'signed', attempts = attempts + 1, mined_hash = NULL, mined_block = NULL,
           mined_succeeded = NULL, gas_cost = NULL, updated_at = platform.now()
         WHERE id = $1 AND state = $2 AND attempts = $3 RETURNING id`,
        [sending.id, sending.state, sending.attempts],
      );
      if (rows.length === 0) return false;
      const { id, network } = sending;
      await this.store({ id, network, number: sending.attempts + 1 }, { raw, hash, fees, head, cancels });
      return true;
    });
  }

  private async store(
    { id, network, number }: { id: string; network: string; number: number },
    { raw, hash, fees, head, cancels }: Omit<OutboundAttempt, 'number' | 'at'>,
  ): Promise<void> {
    await this.database.queryInTransaction(
      `INSERT INTO networks.sending_attempts
         (sending_id, number, network, hash, raw, max_fee, priority_fee, head_block, cancels)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        ...[id, number, network, hash, bytesOf(raw)],
        ...[fees.maxFee.toString(), fees.priorityFee?.toString() ?? null, head, cancels],
      ],
    );
  }

  async changeState(
    sending: OutboundTransaction,
    { state, mined, response, usedBy }: OutboundStateChange,
  ): Promise<boolean> {
    refuseEdge(sending, state);
    const receipt = mined === undefined ? sending.mined : mined;
    const rows = await this.database.query(
      `UPDATE networks.sendings SET state = $4, mined_hash = $5, mined_block = $6, mined_succeeded = $7,
         gas_cost = $8, response = COALESCE($9, response), used_by = $10, updated_at = platform.now()
       WHERE id = $1 AND state = $2 AND attempts = $3 RETURNING id`,
      [
        ...[sending.id, sending.state, sending.attempts, state],
        ...[receipt?.hash ?? null, receipt?.blockNumber ?? null, receipt?.succeeded ?? null],
        ...[receipt?.gasCost?.toString() ?? null, response ?? null, usedBy ?? null],
      ],
    );
    return rows.length > 0;
  }

  onReserved(listener: (network: string) => void): void {
    this.listeners.push(listener);
  }
}

function refuseEdge({ id, state }: OutboundTransaction, to: OutboundTransaction['state']): void {
  if (!isOutboundTransitionAllowed(state, to))
    throw new Error(`Sending ${id} is ${state} and cannot become ${to}.`);
}
