import { keccak_256 } from '@noble/hashes/sha3';
import type { Hex } from 'viem';
import { accountAnswer, accountResourceAnswer, contractAnswer } from './account-answers.js';
import type { EvmCall, TronBlock } from './anvil-behind.js';
import { InvalidMessage, type Json } from './protobuf.js';
import { readTronAddress } from './tron-address.js';
import type { BroadcastCode } from './transaction-checks.js';
import type { TronChain } from './tron-chain.js';
import { BANDWIDTH_PRICE, ENERGY_PRICE, FREE_BANDWIDTH, MAX_FEE_LIMIT } from './tron-resources.js';
import {
  integer,
  readHexTransaction,
  readTransaction,
  transactionJson,
  type TronTransaction,
} from './tron-transaction.js';
import { blockView, hexOfText, logView, messageOf, transactionInfo, visible } from './tron-views.js';

/** Answers that a node gives instead of taking a transaction, or that it serves wrongly. */
export interface TronFaults {
  /** Every broadcast is refused with this code, without a check. */
  broadcastCode?: BroadcastCode | undefined;
  /** Broadcasts are answered with success, and the transaction is lost. */
  losesBroadcasts?: boolean;
  /** `eth_getLogs` finds nothing. */
  emptyLogs?: boolean;
  /** The node does not know this many of the newest blocks. */
  blocksBehind?: number;
}

const EXPIRATION_MS = 60_000;
/** Length of a block's id, which `id_or_num` may be. */
const ID_DIGITS = 64;

const CHAIN_PARAMETERS = {
  getTransactionFee: BANDWIDTH_PRICE,
  getCreateAccountFee: 100_000,
  getCreateNewAccountFeeInSystemContract: 1_000_000,
  getEnergyFee: ENERGY_PRICE,
  getMaxCpuTimeOfOneTx: 80,
  getFreeNetLimit: FREE_BANDWIDTH,
  getMaxFeeLimit: MAX_FEE_LIMIT,
  getAllowTvmShangHai: 1,
  getAllowTvmCancun: 1,
};

/** The HTTP API of java-tron: `/wallet` of a full node, or `/walletsolidity` of a solidity node. */
export class TronHttp {
  constructor(
    private readonly chain: TronChain,
    private readonly faults: TronFaults,
  ) {}

  /** @param isSolid only solid blocks are known @returns undefined for an unknown method */
  async answer(method: string, parameters: Json, isSolid: boolean): Promise<unknown> {
    const { chain } = this;
    const newest = isSolid ? chain.solidNumber : chain.newest.number - (this.faults.blocksBehind ?? 0);
    const at = async (number: number) =>
      number >= 0 && number <= newest ? await chain.block(number) : undefined;
    const view = (block: TronBlock | undefined) => (block === undefined ? {} : blockView(chain, block));
    const blockOf = async (idOrNumber: unknown) => {
      const digits = String(idOrNumber ?? '').toLowerCase();
      if (digits.length !== ID_DIGITS) return at(digits === '' ? newest : Number(digits));
      const block = await at(Number.parseInt(digits.slice(0, 16), 16));
      return block?.id === digits ? block : undefined;
    };
    const included = () => {
      const found = chain.inclusion(String(parameters['value']).toLowerCase());
      return found !== undefined && found.block.number <= newest ? found : undefined;
    };
    switch (method) {
      case 'getnowblock':
        return view(await at(newest));
      case 'getblock':
        return withDetail(parameters, view(await blockOf(parameters['id_or_num'])));
      case 'getblockbynum':
        return view(await at(integer(parameters['num'])));
      case 'getblockbyid':
        return view(await blockOf(parameters['value']));
      case 'gettransactionbyid': {
        const found = included();
        return found === undefined ? {} : transactionJson(found.transaction, found.result);
      }
      case 'gettransactioninfobyid': {
        const found = included();
        return found === undefined ? {} : transactionInfo(found);
      }
      case 'gettransactioninfobyblocknum': {
        const number = integer(parameters['num']);
        if (number <= 0) return {};
        const block = await at(number);
        return block === undefined ? [] : chain.inclusionsOf(block).map(transactionInfo);
      }
      case 'getaccount':
        return accountAnswer(chain, addressIn(parameters, 'address'), isSolid ? newest : undefined);
      case 'triggerconstantcontract':
        return this.constantCall(parameters);
      case 'estimateenergy':
        return this.estimate(parameters);
      default:
        return isSolid ? undefined : this.fullNodeAnswer(method, parameters);
    }
  }

  private async fullNodeAnswer(method: string, parameters: Json): Promise<unknown> {
    const { chain } = this;
    switch (method) {
      case 'broadcasttransaction':
        return this.broadcast(() => readTransaction(parameters));
      case 'broadcasthex':
        return this.broadcastHex(String(parameters['transaction']));
      case 'gettransactionfrompending': {
        const pending = chain.pendingTransaction(String(parameters['value']));
        return pending === undefined ? {} : transactionJson(pending);
      }
      case 'gettransactionlistfrompending':
        return { txId: chain.pendingTransactions.map(({ id }) => id) };
      case 'triggersmartcontract':
        return {
          result: { result: true },
          transaction: await this.unsigned('TriggerSmartContract', callFields(parameters), parameters),
        };
      case 'createtransaction': {
        const { owner_address, to_address, amount } = parameters;
        return this.unsigned('TransferContract', { owner_address, to_address, amount }, parameters);
      }
      case 'getaccountresource':
        return accountResourceAnswer(chain, addressIn(parameters, 'address'));
      case 'getchainparameters':
        return {
          chainParameter: Object.entries(CHAIN_PARAMETERS).map(([key, value]) => ({ key, value })),
        };
      case 'getenergyprices':
        return { prices: `0:${ENERGY_PRICE}` };
      case 'getbandwidthprices':
        return { prices: `0:${BANDWIDTH_PRICE}` };
      case 'getcontract':
      case 'getcontractinfo':
        return contractAnswer(chain, addressIn(parameters, 'value'), method === 'getcontractinfo');
      case 'getnodeinfo': {
        const solid = (await chain.block(chain.solidNumber))!;
        return {
          block: `Num:${chain.newest.number},ID:${chain.newest.id}`,
          solidityBlock: `Num:${solid.number},ID:${solid.id}`,
        };
      }
      default:
        return undefined;
    }
  }

  /** Answers a broadcast in bytes, unlike one in JSON, with all fields and a readable message. */
  private async broadcastHex(hex: string): Promise<Json> {
    const {
      result = false,
      code = 'SUCCESS',
      message = '',
      txid,
    } = await this.broadcast(() => readHexTransaction(hex));
    const readable = Buffer.from(String(message), 'hex').toString();
    const transaction =
      result === true ? JSON.stringify(visible(transactionJson(readHexTransaction(hex)))) : '{}';
    return { result, code, message: readable, transaction, txid };
  }

  private async broadcast(read: () => TronTransaction): Promise<Json> {
    const { broadcastCode, losesBroadcasts = false } = this.faults;
    let transaction: TronTransaction;
    try {
      transaction = read();
    } catch (error) {
      if (!(error instanceof InvalidMessage)) throw error;
      return { code: 'CONTRACT_VALIDATE_ERROR', message: hexOfText(error.message) };
    }
    const { id: txid } = transaction;
    if (broadcastCode !== undefined)
      return { code: broadcastCode, txid, message: hexOfText('The node is faulty.') };
    if (losesBroadcasts) return { result: true, txid };
    const { code, message } = await this.chain.broadcast(transaction);
    return code === 'SUCCESS' ? { result: true, txid } : { code, txid, message: hexOfText(message) };
  }

  private async constantCall(parameters: Json): Promise<Json> {
    const call = evmCallOf(parameters);
    if ((await this.chain.anvil.code(call.to)) === '0x')
      return {
        result: { code: 'CONTRACT_VALIDATE_ERROR', message: hexOfText('Smart contract is not exist.') },
      };
    const { succeeded, isExhausted, output, energy, logs } = await this.chain.anvil.execute(call);
    const penalty = Math.floor((energy * this.chain.penaltyPercent) / 100);
    const message = succeeded ? undefined : hexOfText(messageOf(isExhausted ? 'OUT_OF_ENERGY' : 'REVERT'));
    const transaction = await this.unsigned('TriggerSmartContract', callFields(parameters), parameters);
    return {
      result: { result: true, ...(message !== undefined && { message }) },
      energy_used: energy + penalty,
      ...(penalty > 0 && { energy_penalty: penalty }),
      constant_result: [output.slice(2)],
      ...(succeeded && logs.length > 0 && { logs: logs.map(logView) }),
      transaction: { ret: [succeeded ? {} : { ret: 'FAILED' }], ...transaction },
    };
  }

  private async estimate(parameters: Json): Promise<Json> {
    const { result, energy_used, transaction } = await this.constantCall(parameters);
    const [ret] = ((transaction as Json | undefined)?.['ret'] ?? []) as Json[];
    if (ret?.['ret'] !== 'FAILED') return { result, energy_required: energy_used };
    return { result: { code: 'CONTRACT_EXE_ERROR', message: (result as Json)['message'] } };
  }

  /** A transaction as the node builds it, which refers to the newest solid block. */
  private async unsigned(type: string, value: Json, { fee_limit }: Json): Promise<Json> {
    const { id } = (await this.chain.block(this.chain.solidNumber))!;
    const built = readTransaction({
      raw_data: {
        contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
        ref_block_bytes: id.slice(12, 16),
        ref_block_hash: id.slice(16, 32),
        expiration: this.chain.newest.timestamp + EXPIRATION_MS,
        timestamp: this.chain.newest.timestamp,
        ...(fee_limit !== undefined && { fee_limit }),
      },
    });
    return transactionJson(built);
  }
}

function callFields(parameters: Json): Json {
  const { from, to, value, data } = evmCallOf(parameters);
  return {
    owner_address: from,
    contract_address: to,
    ...(value > 0 && { call_value: value }),
    data: data.slice(2),
  };
}

function evmCallOf(parameters: Json): EvmCall {
  const { function_selector, parameter, data, call_value } = parameters;
  const selector =
    typeof function_selector === 'string' && function_selector !== ''
      ? Buffer.from(keccak_256(function_selector).subarray(0, 4)).toString('hex')
      : '';
  const input: Hex = `0x${selector}${String((selector === '' ? data : parameter) ?? '').replace(/^0x/, '')}`;
  return {
    from: addressIn(parameters, 'owner_address'),
    to: addressIn(parameters, 'contract_address'),
    data: input,
    value: integer(call_value),
  };
}

function addressIn(parameters: Json, key: string): string {
  const address = readTronAddress(parameters[key]);
  if (address === undefined) throw new InvalidMessage(`${key} isn't set.`);
  return address;
}

function withDetail({ detail }: Json, view: Json): Json {
  const { transactions, ...header } = view;
  return String(detail) === 'true' && transactions !== undefined ? view : header;
}
