import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import {
  TransferAuthorizationRefused,
  type AuthorizedTransfers,
} from '#contexts/networks/contract/authorized-transfers.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  GAS_KEY_NAME,
  OutboundTransactionSender,
  type OutboundTransactionStatus,
} from '#contexts/networks/contract/outbound-transaction-sender.js';
import type { PlannedTransfer } from '#contexts/networks/contract/transfer-planning.js';
import { isTooLateToSend } from '../../domain/authorizations/authorization-rule.js';
import type {
  DueAuthorization,
  AuthorizationFailureDetail,
  AuthorizationPostponement,
} from '../../domain/authorizations/authorization.js';
import { TransferAuthorizations } from '../../infrastructure/authorizations/persistence/authorizations.js';
import { isEnded } from '../../domain/requests/status.js';

export interface ProcessedAuthorization {
  readonly authorization: DueAuthorization;
  /** Null if the authorization was executed. */
  readonly says: string | null;
  readonly ended: 'seen' | 'failed' | null;
}

const AUTHORIZATIONS_PER_RUN = 100;
const RETRY_DELAY_SECONDS = 3;
const CHECK_INTERVAL_SECONDS = 1;
const MINED_CHECK_INTERVAL_SECONDS = 5;
/** A single refusal may be temporary or come from a lagging node. */
const MAX_CONSECUTIVE_REFUSALS = 5;

/** The authorization has ended, or another process has sent it. Rolls back the reservation of the nonce. */
class AuthorizationNotToBeSent extends Error {}

/**
 * The transaction that marks an authorization as sent also reserves its nonce. A queued authorization therefore has
 * no nonce and can be ended.
 */
@Injectable()
export class ProcessAuthorizations {
  constructor(
    private readonly authorizations: TransferAuthorizations,
    private readonly chains: Chains,
    private readonly sender: OutboundTransactionSender,
    private readonly catalogue: NetworkCatalogue,
    private readonly clock: Clock,
  ) {}

  async process(network: string): Promise<ProcessedAuthorization[]> {
    const advanced: ProcessedAuthorization[] = [];
    for (const authorization of await this.authorizations.listDue(network, AUTHORIZATIONS_PER_RUN)) {
      const done = await this.advanceAuthorization(authorization).catch((error: unknown) =>
        this.postpone(authorization, error instanceof Error ? error.message : String(error)),
      );
      if (done !== null) advanced.push(done);
    }
    return advanced;
  }

  private authorizedTransfersOf({ network }: DueAuthorization): AuthorizedTransfers {
    return this.chains.require(network, 'authorizedTransfers');
  }

  private async advanceAuthorization(
    authorization: DueAuthorization,
  ): Promise<ProcessedAuthorization | null> {
    if (authorization.state === 'sent') return this.followTransaction(authorization);
    const failure = await this.findReasonNotToSend(authorization);
    if (failure !== null) return this.endUnsent(authorization, failure);
    const { missing, coming } = authorization.request!;
    if (authorization.authorization.value > missing - coming)
      return this.postpone(authorization, 'Another authorization was sent that may pay the missing amount.');
    try {
      await this.sendAuthorization(
        authorization,
        await this.authorizedTransfersOf(authorization).plan(authorization),
      );
    } catch (error) {
      if (error instanceof AuthorizationNotToBeSent) return null;
      if (!(error instanceof TransferAuthorizationRefused)) throw error;
      const failure = { reason: error.reason, says: error.message };
      if (error.reason === 'used') return this.handleUsedNonce(authorization, 0n, failure);
      if (authorization.refusals + 1 < MAX_CONSECUTIVE_REFUSALS)
        return this.postpone(authorization, error.message, { isRefused: true });
      return this.endAuthorization(authorization, null, 0n, failure);
    }
    return this.checkAgainLater(authorization);
  }

  /** First checks whether a third party has executed the authorization, which may be why the checkout ended. */
  private async endUnsent(
    authorization: DueAuthorization,
    failure: AuthorizationFailureDetail,
  ): Promise<ProcessedAuthorization | null> {
    if (await this.authorizedTransfersOf(authorization).isUsed(authorization))
      return this.handleUsedNonce(authorization, 0n, failure);
    return this.endAuthorization(authorization, null, 0n, failure);
  }

  /** A transfer to a paid or ended request would be an overpayment or a deposit, to which the payer did not agree. */
  private async findReasonNotToSend(
    authorization: DueAuthorization,
  ): Promise<AuthorizationFailureDetail | null> {
    const { request, uniqueAssetId, network } = authorization;
    const { value } = authorization.authorization;
    const now = await this.clock.now();
    if (request === null || isEnded(request.status) || now >= request.expiresAt)
      return { reason: 'ended', says: 'The checkout ended before the transaction was sent.' };
    if (request.uniqueAssetId !== uniqueAssetId)
      return { reason: 'ended', says: 'Another asset was selected before the transaction was sent.' };
    if (value > request.missing)
      return {
        reason: 'ended',
        says: 'Another payment was received before the transaction was sent, so this one would pay too much.',
      };
    const { sponsoring, blockSeconds } = this.catalogue.network(network)!;
    if (sponsoring === undefined)
      return {
        reason: 'ended',
        says: 'The operator no longer pays the gas of payments by signature on this network.',
      };
    return isTooLateToSend(authorization.authorization, now, blockSeconds)
      ? { reason: 'time', says: 'The authorization expired before the transaction could be sent.' }
      : null;
  }

  private async sendAuthorization(
    { id, network, reservedCost }: DueAuthorization,
    { call }: PlannedTransfer,
  ): Promise<void> {
    const alongside = async () => {
      if (!(await this.authorizations.markSent(id))) throw new AuthorizationNotToBeSent();
    };
    const reservationCeiling = reservedCost / call.gasLimit;
    const order = {
      id,
      network,
      key: GAS_KEY_NAME,
      purpose: 'authorized_transfer',
      call,
      reservationCeiling,
      alongside,
    } as const;
    await this.sender.send(order);
  }

  private async followTransaction(authorization: DueAuthorization): Promise<ProcessedAuthorization | null> {
    const fate = await this.sender.status(authorization.id);
    const cost = fate?.gasCost ?? authorization.reservedCost;
    switch (fate?.state) {
      case 'final':
      case 'reverted':
        return this.endExecutedOrRevert(authorization, fate, cost);
      case 'cancelled':
        return this.endWithoutTransaction(authorization, cost, 'The operator cancelled the transaction.');
      case 'foreign':
        return this.endWithoutTransaction(
          authorization,
          0n,
          'Another transaction of the gas key used its nonce.',
        );
      case 'mined':
        return this.checkAgainLater(authorization, { seconds: MINED_CHECK_INTERVAL_SECONDS });
      default:
        return this.checkAgainLater(authorization);
    }
  }

  private async endExecutedOrRevert(
    authorization: DueAuthorization,
    { state, transactionHash, blockNumber }: OutboundTransactionStatus,
    cost: bigint,
  ): Promise<ProcessedAuthorization | null> {
    // `isReadPast` is queried before the transfer, so that a transfer stored between the two queries is found.
    const isReadPast = await this.authorizations.isFinalBlockRead(authorization.network, blockNumber!);
    const own = await this.authorizations.findTransferIn(authorization, transactionHash!);
    if (own !== null) return this.endAuthorization(authorization, transactionHash, cost, null);
    if (!isReadPast) return this.checkAgainLater(authorization);
    const isUsed =
      state === 'reverted' && (await this.authorizedTransfersOf(authorization).isUsed(authorization));
    // A third party had executed the authorization before. That transfer is in an earlier block, which was read.
    const other = isUsed ? await this.authorizations.findTransferByThirdParty(authorization) : null;
    const failure = { reason: 'not_executed', says: 'The transaction transferred nothing.' } as const;
    return this.endAuthorization(
      authorization,
      other?.transactionHash ?? null,
      cost,
      other === null ? failure : null,
    );
  }

  private async endWithoutTransaction(
    authorization: DueAuthorization,
    cost: bigint,
    says: string,
  ): Promise<ProcessedAuthorization | null> {
    if (await this.authorizedTransfersOf(authorization).isUsed(authorization))
      return this.handleUsedNonce(authorization, cost, { reason: 'used', says });
    return this.endAuthorization(authorization, null, cost, { reason: 'not_executed', says });
  }

  /** Anyone with the signature can execute the transfer. The watcher may lag behind that transfer. */
  private async handleUsedNonce(
    authorization: DueAuthorization,
    cost: bigint,
    failure: AuthorizationFailureDetail,
  ): Promise<ProcessedAuthorization | null> {
    const transfer = await this.authorizations.findTransferByThirdParty(authorization);
    if (transfer?.isFinal === true)
      return this.endAuthorization(authorization, transfer.transactionHash, cost, null);
    if (transfer !== null)
      return this.checkAgainLater(authorization, {
        transactionHash: transfer.transactionHash,
        seconds: MINED_CHECK_INTERVAL_SECONDS,
      });
    if (!authorization.isReadPastUse)
      return this.checkAgainLater(authorization, { held: failure.says, isUsed: true });
    return this.endAuthorization(authorization, null, cost, failure);
  }

  private async checkAgainLater(
    { id }: DueAuthorization,
    putOff: Partial<AuthorizationPostponement> = {},
  ): Promise<null> {
    await this.authorizations.postpone(id, { seconds: CHECK_INTERVAL_SECONDS, ...putOff });
    return null;
  }

  private async endAuthorization(
    authorization: DueAuthorization,
    transactionHash: string | null,
    gasCost: bigint,
    failure: AuthorizationFailureDetail | null,
  ): Promise<ProcessedAuthorization | null> {
    const hasEnded = await this.authorizations.end(authorization, { transactionHash, gasCost, failure });
    if (!hasEnded) return null;
    return { authorization, says: failure?.says ?? null, ended: failure === null ? 'seen' : 'failed' };
  }

  private async postpone(
    authorization: DueAuthorization,
    says: string,
    as: Pick<AuthorizationPostponement, 'isRefused'> = {},
  ): Promise<ProcessedAuthorization> {
    await this.authorizations.postpone(authorization.id, { ...as, held: says, seconds: RETRY_DELAY_SECONDS });
    return { authorization, says, ended: null };
  }
}
