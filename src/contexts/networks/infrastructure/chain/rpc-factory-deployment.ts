import { Injectable } from '@nestjs/common';
import {
  type Account,
  BaseError,
  type Chain,
  type Client,
  type Hex,
  type Transport,
  createClient,
  custom,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { estimateGas, getBalance, getGasPrice } from 'viem/actions';
import { ChainUnavailable } from '../../contract/chain-reader.js';
import { firstCreation } from '../../domain/contract-address.js';
import type { ChainEndpoint } from '../../application/chain-inspection.js';
import { type DeploymentPlan, FactoryDeployment } from '../../application/factory-deployment.js';
import { factoryTransaction, deployFactory, hasCode } from './deploy-factory.js';
import { DETERMINISTIC_DEPLOYER, committedFactory } from './forwarder-artifacts.js';
import { JsonRpc } from './json-rpc.js';

@Injectable()
export class RpcFactoryDeployment extends FactoryDeployment {
  constructor(private readonly rpc: JsonRpc) {
    super();
  }

  async plan(endpoint: ChainEndpoint, key: string | null): Promise<DeploymentPlan> {
    const client = createClient({ transport: this.transport(endpoint) });
    const factory = committedFactory();
    const account = key === null ? null : privateKeyToAccount(key as Hex);
    return inPlainWords(async () => {
      const isThere = await hasCode(client, factory);
      const hasDeployer = isThere || (await hasCode(client, DETERMINISTIC_DEPLOYER));
      const plan = { factory, implementation: firstCreation(factory), isThere, hasDeployer };
      if (isThere || !hasDeployer) return plan;
      const from = account?.address;
      const gas = await estimateGas(client, { ...factoryTransaction(), ...(from && { account: from }) });
      const gasPrice = await getGasPrice(client);
      const sender = from && { address: from, balance: await getBalance(client, { address: from }) };
      return { ...plan, estimate: { gas, gasPrice, cost: gas * gasPrice }, ...(sender && { sender }) };
    });
  }

  async send(endpoint: ChainEndpoint, key: string): Promise<string | null> {
    const client: Client<Transport, Chain | undefined, Account> = createClient({
      transport: this.transport(endpoint),
      account: privateKeyToAccount(key as Hex),
      pollingInterval: 1_000,
    });
    const { transactionHash } = await inPlainWords(() => deployFactory(client));
    return transactionHash ?? null;
  }

  /** By `JsonRpc`, whose errors never hold the endpoint's address. Once each: a transaction is not sent again. */
  private transport(endpoint: ChainEndpoint) {
    const read = (answer: unknown) => answer;
    return custom(
      {
        request: ({ method, params }: { method: string; params?: readonly unknown[] }) =>
          this.rpc.callOnce(endpoint, { method, params: params ?? [], read }),
      },
      { retryCount: 0 },
    );
  }
}

/** viem's own messages are pages long, and hold all that was sent. */
async function inPlainWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const cause = error.walk((each) => each instanceof ChainUnavailable);
    throw cause instanceof ChainUnavailable ? cause : new Error(error.shortMessage);
  }
}
