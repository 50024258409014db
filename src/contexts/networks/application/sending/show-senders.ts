import { Injectable } from '@nestjs/common';
import { ChainUnavailable } from '../../contract/chain-reader.js';
import type { AccountState } from '../../domain/sending/gas-key.js';
import type { Sending } from '../../domain/sending/sending.js';
import { orUnavailable } from '../or-unavailable.js';
import { SendingChain } from './sending-chain.js';
import { type Attempt, Sendings } from './sendings.js';
import { SigningKeys } from './signing-keys.js';

export interface SenderView {
  readonly network: string;
  readonly address: string;
  /** Whether this process can sign for it. */
  readonly isHeld: boolean;
  readonly account: AccountState | ChainUnavailable;
  readonly unfinished: readonly (Sending & { readonly stored: readonly Attempt[] })[];
}

/** The keys that send on these networks, as they stand now: those that the process holds, and those with unfinished calls. */
@Injectable()
export class ShowSenders {
  constructor(
    private readonly sendings: Sendings,
    private readonly chain: SendingChain,
    private readonly keys: SigningKeys,
  ) {}

  async execute(networks: readonly string[]): Promise<SenderView[]> {
    return (await Promise.all(networks.map((network) => this.ofNetwork(network)))).flat();
  }

  private async ofNetwork(network: string): Promise<SenderView[]> {
    const unfinished = await this.sendings.unfinished(network);
    const held = this.keys.addresses();
    const addresses = [...new Set([...held, ...unfinished.map(({ sender }) => sender)])];
    return Promise.all(
      addresses.map(async (address) => ({
        network,
        address,
        isHeld:
          held.includes(address) ||
          unfinished.some((sending) => sending.sender === address && this.keys.of(sending) !== undefined),
        account: await orUnavailable(this.chain.account(network, address)),
        unfinished: await Promise.all(
          unfinished
            .filter(({ sender }) => sender === address)
            .map(async (sending) => ({ ...sending, stored: await this.sendings.attempts(sending.id) })),
        ),
      })),
    );
  }
}
