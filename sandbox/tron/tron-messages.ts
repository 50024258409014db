import type { FieldType, MessageType } from './protobuf.js';

/** The messages of java-tron's `Tron.proto` and of the three contracts that the façade executes. */
function message(...fields: [number, string, FieldType, 'repeated'?][]): MessageType {
  return {
    fields: fields.map(([number, name, type, repeated]) => ({
      ...{ number, name, type },
      ...(repeated && { repeated: true }),
    })),
  };
}

const ABI_PARAMETER = message([1, 'indexed', 'bool'], [2, 'name', 'string'], [3, 'type', 'string']);
const ENTRY_TYPES = {
  names: { Constructor: 1, Function: 2, Event: 3, Fallback: 4, Receive: 5, Error: 6 },
};
const MUTABILITIES = { names: { Pure: 1, View: 2, Nonpayable: 3, Payable: 4 } };
const ABI_ENTRY = message(
  [1, 'anonymous', 'bool'],
  [2, 'constant', 'bool'],
  [3, 'name', 'string'],
  [4, 'inputs', ABI_PARAMETER, 'repeated'],
  [5, 'outputs', ABI_PARAMETER, 'repeated'],
  [6, 'type', ENTRY_TYPES],
  [7, 'payable', 'bool'],
  [8, 'stateMutability', MUTABILITIES],
);

const SMART_CONTRACT = message(
  [1, 'origin_address', 'bytes'],
  [2, 'contract_address', 'bytes'],
  [3, 'abi', message([1, 'entrys', ABI_ENTRY, 'repeated'])],
  [4, 'bytecode', 'bytes'],
  [5, 'call_value', 'int64'],
  [6, 'consume_user_resource_percent', 'int64'],
  [7, 'name', 'string'],
  [8, 'origin_energy_limit', 'int64'],
);

export type ContractType = 'TransferContract' | 'CreateSmartContract' | 'TriggerSmartContract';

export const CONTRACTS: Readonly<Record<ContractType, MessageType>> = {
  TransferContract: message(
    [1, 'owner_address', 'bytes'],
    [2, 'to_address', 'bytes'],
    [3, 'amount', 'int64'],
  ),
  CreateSmartContract: message(
    [1, 'owner_address', 'bytes'],
    [2, 'new_contract', SMART_CONTRACT],
    [3, 'call_token_value', 'int64'],
    [4, 'token_id', 'int64'],
  ),
  TriggerSmartContract: message(
    [1, 'owner_address', 'bytes'],
    [2, 'contract_address', 'bytes'],
    [3, 'call_value', 'int64'],
    [4, 'data', 'bytes'],
    [5, 'call_token_value', 'int64'],
    [6, 'token_id', 'int64'],
  ),
};

/** `parameter.value` is the encoded contract. */
const CONTRACT = message(
  [1, 'type', { names: { TransferContract: 1, CreateSmartContract: 30, TriggerSmartContract: 31 } }],
  [2, 'parameter', message([1, 'type_url', 'string'], [2, 'value', 'bytes'])],
  [5, 'Permission_id', 'int64'],
);

export const RAW_DATA = message(
  [1, 'ref_block_bytes', 'bytes'],
  [3, 'ref_block_num', 'int64'],
  [4, 'ref_block_hash', 'bytes'],
  [8, 'expiration', 'int64'],
  [10, 'data', 'bytes'],
  [11, 'contract', CONTRACT, 'repeated'],
  [14, 'timestamp', 'int64'],
  [18, 'fee_limit', 'int64'],
);

/** The bytes of `raw_data` are kept as they are, because the id is their hash. */
export const TRANSACTION = message([1, 'raw_data', 'bytes'], [2, 'signature', 'bytes', 'repeated']);
