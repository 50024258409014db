import { type Hex, decodeFunctionData, encodeFunctionData, parseAbi } from 'viem';
import { type Asset, isNative } from '#shared/kernel/asset.js';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import {
  type CallPayment,
  type PlannedTransfer,
  type TransferToPlan,
  type TransferPlanning,
  TransferRefused,
} from '#contexts/networks/contract/transfer-planning.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { PlannedCall } from '#contexts/networks/domain/outbound/outbound-transaction.js';
import type { VerifiedEndpoints } from '../check/verified-endpoints.js';
import { tokenTransfersIn } from '../reading/rpc-transaction-lookup.js';
import { ERC20_ABI, queryContract } from '../../ethereum-rpc/contract-calls.js';
import { readFields, readAmount, readWord } from '../../ethereum-rpc/hex-fields.js';
import type { JsonRpc } from '../../rpc/json-rpc.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import { isGasLimitExceeded, maxCostOfCall } from './call-gas.js';
import type { RpcOutboundChain } from './rpc-outbound-chain.js';
import type { RpcTransferSimulation } from './rpc-transfer-simulation.js';

const TRANSFER_ABI = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);
type TransferredAsset = Pick<Asset, 'token' | 'symbol'>;

export class EvmTransferPlanning implements TransferPlanning {
  constructor(
    private readonly network: string,
    private readonly endpoints: VerifiedEndpoints,
    private readonly rpc: JsonRpc,
    private readonly simulation: RpcTransferSimulation,
    private readonly chain: RpcOutboundChain,
  ) {}

  encode(asset: TransferredAsset, to: string, amount: bigint) {
    return transferCallOf(asset, canonicalAddress(to), amount);
  }

  async plan(from: string, asset: TransferredAsset, to: string, amount: bigint): Promise<PlannedTransfer> {
    const [sender, recipient] = [canonicalAddress(from), canonicalAddress(to)];
    const call = transferCallOf(asset, recipient, amount);
    const gasLimit = await this.endpoints.first(this.network, async (endpoint) => {
      const held = await this.held(endpoint, asset, sender);
      if (held < amount)
        throw new TransferRefused(
          'balance',
          `${from} holds ${held} of the ${amount} units of ${asset.symbol} required.`,
        );
      const token = isNative(asset) ? null : call.to;
      const arrived = await this.simulation.simulateReceivedAmount(endpoint, {
        from: sender,
        recipient,
        token,
        call,
      });
      if (arrived !== amount) throw refusalOfTransfer(asset, to, amount, arrived);
      return this.gasLimit(endpoint, sender, call);
    });
    const { transferGas } = this.endpoints.configuration(this.network);
    if (gasLimit === null || gasLimit > transferGas)
      throw new TransferRefused(
        'recipient',
        `A transfer of ${asset.symbol} to ${to} requires ${gasLimit ?? 'too much'} gas; the limit is ` +
          `${transferGas} ` +
          '(transfer_gas). Nothing was sent.',
      );
    return {
      call: { ...call, gasLimit },
      gasCost: await maxCostOfCall(this.chain, this.network, { ...call, gasLimit }),
    };
  }

  decodePayment({ to, data, value }: Omit<PlannedCall, 'gasLimit'>): CallPayment | null {
    if (data === '0x') return { token: null, to: canonicalAddress(to), amount: value };
    try {
      const { args } = decodeFunctionData({ abi: TRANSFER_ABI, data: data as Hex });
      const [recipient, amount] = args;
      const paid = { token: canonicalAddress(to), to: canonicalAddress(recipient), amount };
      // Rejects extra bytes after the arguments, which would make it a different call.
      const again = encodeFunctionData({ abi: TRANSFER_ABI, functionName: 'transfer', args });
      return value === 0n && again === data ? paid : null;
    } catch {
      return null;
    }
  }

  async hasMovedFunds(transactionHash: string, transfer: TransferToPlan): Promise<boolean> {
    if (isNative(transfer.asset)) return true;
    return this.endpoints.agreed(this.network, (endpoint) => this.shows(endpoint, transactionHash, transfer));
  }

  private shows(
    endpoint: Endpoint,
    transactionHash: string,
    { from, asset, to, amount }: TransferToPlan,
  ): Promise<boolean> {
    const [token, sender, recipient] = [asset.token, from, to].map(canonicalAddress);
    return this.rpc.callOnce(endpoint, {
      method: 'eth_getTransactionReceipt',
      isLong: true,
      params: [transactionHash],
      read: (answer) => {
        const receipt = readFields(answer, 'a receipt');
        if (readWord(receipt.transactionHash, 'hash') !== transactionHash)
          throw new MalformedAnswer('the receipt belongs to another transaction');
        return tokenTransfersIn(receipt).some(
          (each) =>
            each.token === token && each.from === sender && each.to === recipient && each.amount === amount,
        );
      },
    });
  }

  private async held(endpoint: Endpoint, asset: TransferredAsset, holder: string): Promise<bigint> {
    if (isNative(asset))
      return this.rpc.callOnce(endpoint, {
        method: 'eth_getBalance',
        params: [holder, 'latest'],
        read: (answer) => readAmount(answer, 'the balance'),
      });
    const question = { abi: ERC20_ABI, to: asset.token, functionName: 'balanceOf', args: [holder] };
    const balance = await queryContract(this.rpc, endpoint, question);
    if (typeof balance === 'bigint') return balance;
    throw new TransferRefused(
      'recipient',
      `${asset.token} returns no balances: it is not a token of this network.`,
    );
  }

  /**
   * Estimates gas and adds a quarter, because concurrent changes to the same balances affect the gas of a transfer.
   */
  private async gasLimit(
    endpoint: Endpoint,
    from: string,
    { to, data, value }: Omit<PlannedCall, 'gasLimit'>,
  ): Promise<bigint | null> {
    const estimated = await this.rpc.callOnce<bigint | null>(endpoint, {
      method: 'eth_estimateGas',
      params: [{ from, to, data, value: `0x${value.toString(16)}` }],
      read: (answer) => readAmount(answer, 'the estimate'),
      refused: (refusal) => {
        if (isGasLimitExceeded(refusal)) return null;
        throw refusal;
      },
    });
    return estimated === null ? null : (estimated * 5n) / 4n;
  }
}

function transferCallOf(asset: TransferredAsset, recipient: string, amount: bigint) {
  if (isNative(asset)) return { to: recipient, data: '0x' as const, value: amount };
  const args = [recipient as Hex, amount] as const;
  const data = encodeFunctionData({ abi: TRANSFER_ABI, functionName: 'transfer', args });
  return { to: canonicalAddress(asset.token), data, value: 0n };
}

function refusalOfTransfer(
  asset: TransferredAsset,
  to: string,
  amount: bigint,
  arrived: bigint | null,
): TransferRefused {
  const transfer = `A transfer of ${amount} units of ${asset.symbol} to ${to}`;
  const result =
    arrived === null
      ? 'fails in simulation'
      : `delivers only ${arrived} in simulation, because of a fee or because the recipient forwards them`;
  return new TransferRefused('recipient', `${transfer} ${result}. Nothing was sent.`);
}
