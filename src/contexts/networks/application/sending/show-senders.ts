import { Injectable } from '@nestjs/common';
import { ChainUnavailable } from '../../contract/chain-reader.js';
import { firstFees } from '../../domain/sending/fees.js';
import { type AccountState, isLow } from '../../domain/sending/gas-key.js';
import { type NextStep, nextStepOf } from '../../domain/sending/next-step.js';
import type { Sending } from '../../domain/sending/sending.js';
import { orUnavailable } from '../or-unavailable.js';
import { SendingChain } from './sending-chain.js';
import { type Attempt, Sendings } from './sendings.js';
import { SenderKeys } from './sender-keys.js';

export interface SenderView {
  readonly network: string;
  readonly address: string;
  /** Whether this process can sign for it. */
  readonly isHeld: boolean;
  readonly account: AccountState | ChainUnavailable;
  /** Whether a key that pays for gas should be sent coin; null of a float, and where no endpoint answers. */
  readonly isLow: boolean | null;
  readonly unfinished: readonly UnfinishedView[];
}

export interface UnfinishedView extends Sending {
  readonly stored: readonly Attempt[];
  readonly nextStep: NextStep;
}

/** The keys that send on these networks, as they stand now: those that the process holds, and those with unfinished calls. */
@Injectable()
export class ShowSenders {
  constructor(
    private readonly sendings: Sendings,
    private readonly chain: SendingChain,
    private readonly keys: SenderKeys,
  ) {}

  async execute(networks: readonly string[]): Promise<SenderView[]> {
    return (await Promise.all(networks.map((network) => this.ofNetwork(network)))).flat();
  }

  private async ofNetwork(network: string): Promise<SenderView[]> {
    const unfinished = await this.sendings.unfinished(network);
    const held = this.keys.addresses();
    const addresses = [...new Set([...held, ...unfinished.map(({ sender }) => sender)])];
    return Promise.all(
      addresses.map((address) =>
        this.ofKey(
          network,
          address,
          held.includes(address),
          unfinished.filter(({ sender }) => sender === address),
        ),
      ),
    );
  }

  private async ofKey(
    network: string,
    address: string,
    isNamed: boolean,
    unfinished: readonly Sending[],
  ): Promise<SenderView> {
    const [account, blockGas] = await Promise.all([
      orUnavailable(this.chain.account(network, address)),
      unfinished.length === 0 ? null : orUnavailable(this.chain.blockGas(network)),
    ]);
    const views = unfinished.map(async (sending): Promise<UnfinishedView> => {
      const stored = await this.sendings.attempts(sending.id);
      const nextStep = nextStepOf({
        sending,
        offered: stored.at(-1)?.fees ?? null,
        cancels: stored.at(-1)?.cancels === true,
        blockGas: blockGas instanceof ChainUnavailable ? null : blockGas,
        isHeld: this.keys.of(sending) !== undefined,
        account: account instanceof ChainUnavailable ? null : account,
      });
      return { ...sending, stored, nextStep };
    });
    return {
      ...{ network, address, account },
      isHeld: isNamed || unfinished.some((sending) => this.keys.of(sending) !== undefined),
      isLow: isNamed ? await this.isLow(network, address, account) : null,
      unfinished: await Promise.all(views),
    };
  }

  private async isLow(
    network: string,
    address: string,
    account: AccountState | ChainUnavailable,
  ): Promise<boolean | null> {
    const market = await orUnavailable(this.chain.market(network));
    if (account instanceof ChainUnavailable || market instanceof ChainUnavailable) return null;
    const { maxFee } = firstFees(market, this.chain.feeLimits(network));
    return isLow(account, await this.sendings.committed(network, address), maxFee);
  }
}
