import { type Hex, decodeFunctionData, encodeFunctionData, parseAbi, parseEventLogs } from 'viem';
import { type Asset, isNative } from '#shared/kernel/asset.js';
import {
  type CallPayment,
  type PlannedTransfer,
  type TransferPlanning,
  TransferRefused,
  type TransferToPlan,
} from '#contexts/networks/contract/transfer-planning.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { initialGasFees } from '#contexts/networks/domain/outbound/gas-fees.js';
import type { PlannedCall } from '#contexts/networks/domain/outbound/outbound-transaction.js';
import type { JsonFields } from '../../ethereum-rpc/hex-fields.js';
import type { JsonRpc } from '../../rpc/json-rpc.js';
import { evmSpelling, tronAddress } from '../addresses/tron-address.js';
import { receiptCall } from '../reading/tron-calls.js';
import { toEthereumLogs } from './receipt-logs.js';
import { constantCall } from './sending-calls.js';
import type { TronEndpoints } from './tron-endpoints.js';
import type { TronOutboundChain } from './tron-outbound-chain.js';

const TOKEN_ABI = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address) view returns (uint256)',
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
]);

/**
 * A transfer of USDT uses up to 131,000 units of energy, and more while its contract is busy. Much more is work of the
 * recipient's contract, which the float should not pay for.
 */
const MOST_TRANSFER_ENERGY = 300_000n;

type TransferredAsset = Pick<Asset, 'token' | 'symbol'>;

/** Only the `Transfer` event counts, because USDT returns false from every transfer. */
export class TronTransferPlanning implements TransferPlanning {
  constructor(
    private readonly network: string,
    private readonly endpoints: TronEndpoints,
    private readonly rpc: JsonRpc,
    private readonly chain: TronOutboundChain,
  ) {}

  encode(asset: TransferredAsset, to: string, amount: bigint) {
    if (isNative(asset)) throw new TransferRefused('recipient', 'The service sends no TRX.');
    const args = [evmSpelling(to) as Hex, amount] as const;
    const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args });
    return { to: asset.token, data, value: 0n };
  }

  async plan(from: string, asset: TransferredAsset, to: string, amount: bigint): Promise<PlannedTransfer> {
    const { network, chain } = this;
    const call = this.encode(asset, to, amount);
    const args = [evmSpelling(from) as Hex] as const;
    const balance = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'balanceOf', args });
    const { held, simulated } = await this.endpoints.first(network, async (endpoint) => ({
      held: await this.rpc.callOnce(endpoint, constantCall(from, asset.token, balance)),
      simulated: await this.rpc.callOnce(endpoint, constantCall(from, call.to, call.data)),
    }));
    if (BigInt(held.output.length === 66 ? held.output : 0) < amount)
      throw new TransferRefused(
        'balance',
        `${from} holds less than the ${amount} units of ${asset.symbol} required.`,
      );
    if (!simulated.succeeded || !isMoved(simulated.logs, { from, asset, to, amount }))
      throw new TransferRefused(
        'recipient',
        `A transfer of ${amount} units of ${asset.symbol} to ${to} fails in simulation. Nothing was sent.`,
      );
    const gasLimit = (simulated.energy * 5n) / 4n;
    if (gasLimit > MOST_TRANSFER_ENERGY)
      throw new TransferRefused(
        'recipient',
        `A transfer of ${asset.symbol} to ${to} requires ${gasLimit} units of energy; the limit is ${MOST_TRANSFER_ENERGY}.`,
      );
    const fees = initialGasFees(await chain.gasFeeMarket(network), chain.feeLimits(network));
    const planned = { ...call, gasLimit };
    const bandwidth = await chain.dataFee(network, { chainId: 0, nonce: 0, call: planned, fees });
    return { call: planned, gasCost: gasLimit * fees.maxFee + bandwidth };
  }

  decodePayment({ to, data, value }: Omit<PlannedCall, 'gasLimit'>): CallPayment | null {
    try {
      const { functionName, args } = decodeFunctionData({ abi: TOKEN_ABI, data: data as Hex });
      if (functionName !== 'transfer' || value !== 0n) return null;
      // Rejects extra bytes after the arguments, which would make it a different call.
      if (encodeFunctionData({ abi: TOKEN_ABI, functionName, args }) !== data) return null;
      return { token: to, to: tronAddress(args[0]), amount: args[1] };
    } catch {
      return null;
    }
  }

  hasMovedFunds(transactionHash: string, transfer: TransferToPlan): Promise<boolean> {
    return this.endpoints.agreed(this.network, async (endpoint) => {
      const receipt = await this.rpc.callOnce(endpoint, receiptCall(transactionHash));
      if (receipt === null)
        throw new ChainUnavailable(endpoint.network, `it has no receipt for ${transactionHash}.`);
      return isMoved(receipt.logs, transfer);
    });
  }
}

function isMoved(logs: readonly JsonFields[], { from, asset, to, amount }: TransferToPlan): boolean {
  const own = toEthereumLogs(logs).filter(({ address }) => tronAddress(address as string) === asset.token);
  return parseEventLogs({ abi: TOKEN_ABI, logs: own as never }).some(
    ({ args }) => tronAddress(args.from) === from && tronAddress(args.to) === to && args.amount === amount,
  );
}
