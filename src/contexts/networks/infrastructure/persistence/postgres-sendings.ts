import { Injectable } from '@nestjs/common';
import { stateConflict } from '../../../../shared/kernel/domain-error.js';
import { Database } from '../../../../shared/platform/database/database.js';
import type { SignedTransaction } from '../../application/sending/sending-chain.js';
import {
  type Attempt,
  type SendingDraft,
  type SendingStep,
  Sendings,
} from '../../application/sending/sendings.js';
import { nextNonce } from '../../domain/sending/next-nonce.js';
import { type Sending, mayBecome } from '../../domain/sending/sending.js';
import { type AttemptRow, type SendingRow, attemptOf, bytesOf, hexOf, sendingOf } from './sending-rows.js';

const UNFINISHED = `state NOT IN ('final', 'reverted', 'foreign', 'cancelled')`;

@Injectable()
export class PostgresSendings extends Sendings {
  private readonly listeners: ((network: string) => void)[] = [];

  constructor(private readonly database: Database) {
    super();
  }

  async find(id: string): Promise<Sending | null> {
    const [row] = await this.database.query<SendingRow>('SELECT * FROM networks.sendings WHERE id = $1', [
      id,
    ]);
    return row === undefined ? null : sendingOf(row);
  }

  async at(network: string, sender: string, nonce: number): Promise<Sending | null> {
    const [row] = await this.database.query<SendingRow>(
      'SELECT * FROM networks.sendings WHERE network = $1 AND sender = $2 AND nonce = $3',
      [network, sender, nonce],
    );
    return row === undefined ? null : sendingOf(row);
  }

  reserve(draft: SendingDraft, latestCount: number, alongside?: () => Promise<void>): Promise<Sending> {
    const { id, network, sender, key, call, feeCeiling, purpose } = draft;
    return this.database.run(async () => {
      await this.database.write('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `sending ${network} ${sender}`,
      ]);
      const stored = await this.find(id);
      if (stored !== null) return stored;
      if (purpose === 'factory_deployment') await this.refuseSecondDeployment(network, sender);
      const [highest] = await this.database.query<{ nonce: string | null }>(
        'SELECT max(nonce) AS nonce FROM networks.sendings WHERE network = $1 AND sender = $2',
        [network, sender],
      );
      const nonce = nextNonce(latestCount, highest?.nonce == null ? null : Number(highest.nonce));
      const [row] = await this.database.write<SendingRow>(
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
      return sendingOf(row!);
    });
  }

  /** Under the lock of the key: two runs of the command that begin at once would both pay. */
  private async refuseSecondDeployment(network: string, sender: string): Promise<void> {
    const [begun] = await this.database.query<{ id: string }>(
      `SELECT id FROM networks.sendings WHERE network = $1 AND sender = $2 AND purpose = 'factory_deployment'
         AND ${UNFINISHED}`,
      [network, sender],
    );
    if (begun !== undefined)
      throw stateConflict(`Sending ${begun.id} deploys the factory already. Run the command again.`);
  }

  async unfinished(network: string): Promise<Sending[]> {
    const rows = await this.database.query<SendingRow>(
      `SELECT * FROM networks.sendings WHERE network = $1 AND ${UNFINISHED} ORDER BY sender, nonce`,
      [network],
    );
    return rows.map(sendingOf);
  }

  async committed(network: string, sender: string): Promise<bigint> {
    // What is mined is paid for already.
    const [row] = await this.database.query<{ amount: string }>(
      `SELECT COALESCE(sum(s.value + s.gas_limit * COALESCE(
         (SELECT max(a.max_fee) FROM networks.sending_attempts a WHERE a.sending_id = s.id), s.fee_ceiling)), 0) AS amount
       FROM networks.sendings s
       WHERE s.network = $1 AND s.sender = $2 AND s.state IN ('reserved', 'signed', 'broadcast')`,
      [network, sender],
    );
    return BigInt(row!.amount);
  }

  async attempts(id: string): Promise<Attempt[]> {
    const rows = await this.database.query<AttemptRow>(
      'SELECT * FROM networks.sending_attempts WHERE sending_id = $1 ORDER BY number',
      [id],
    );
    return rows.map(attemptOf);
  }

  async minedAttempts(
    network: string,
    sender: string,
    from: number,
    below: number,
  ): Promise<SignedTransaction[]> {
    const rows = await this.database.query<Pick<AttemptRow, 'raw' | 'hash'>>(
      `SELECT a.raw, a.hash FROM networks.sendings s
       JOIN networks.sending_attempts a ON a.sending_id = s.id AND a.hash = s.mined_hash
       WHERE s.network = $1 AND s.sender = $2 AND s.nonce >= $3 AND s.nonce < $4
         AND s.state IN ('final', 'reverted', 'cancelled') ORDER BY s.nonce`,
      [network, sender, from, below],
    );
    return rows.map(({ raw, hash }) => ({ raw: hexOf(raw), hash }));
  }

  attempt(
    sending: Sending,
    { raw, hash, fees, head, cancels }: Omit<Attempt, 'number' | 'at'>,
  ): Promise<boolean> {
    refuseEdge(sending, 'signed');
    return this.database.run(async () => {
      const rows = await this.database.write(
        `UPDATE networks.sendings SET state = 'signed', attempts = attempts + 1, mined_hash = NULL, mined_block = NULL,
           mined_succeeded = NULL, updated_at = platform.now()
         WHERE id = $1 AND state = $2 AND attempts = $3 RETURNING id`,
        [sending.id, sending.state, sending.attempts],
      );
      if (rows.length === 0) return false;
      await this.database.write(
        `INSERT INTO networks.sending_attempts
           (sending_id, number, network, hash, raw, max_fee, priority_fee, head_block, cancels)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          ...[sending.id, sending.attempts + 1, sending.network, hash, bytesOf(raw)],
          ...[fees.maxFee.toString(), fees.priorityFee?.toString() ?? null, head, cancels],
        ],
      );
      return true;
    });
  }

  async step(sending: Sending, { state, mined, response }: SendingStep): Promise<boolean> {
    refuseEdge(sending, state);
    const receipt = mined === undefined ? sending.mined : mined;
    const rows = await this.database.query(
      `UPDATE networks.sendings SET state = $4, mined_hash = $5, mined_block = $6, mined_succeeded = $7,
         gas_cost = $8, response = COALESCE($9, response), updated_at = platform.now()
       WHERE id = $1 AND state = $2 AND attempts = $3 RETURNING id`,
      [
        ...[sending.id, sending.state, sending.attempts, state],
        ...[receipt?.hash ?? null, receipt?.blockNumber ?? null, receipt?.succeeded ?? null],
        ...[receipt?.gasCost?.toString() ?? null, response ?? null],
      ],
    );
    return rows.length > 0;
  }

  onReserved(listener: (network: string) => void): void {
    this.listeners.push(listener);
  }
}

function refuseEdge({ id, state }: Sending, to: Sending['state']): void {
  if (!mayBecome(state, to)) throw new Error(`Sending ${id} is ${state} and cannot become ${to}.`);
}
