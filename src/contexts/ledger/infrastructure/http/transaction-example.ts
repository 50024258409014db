import type { TransactionDto } from './transaction.dto.js';

const PAYMENT: TransactionDto = {
  id: '0193b2f4-9a10-7b21-8c32-9d43ae54bf65',
  type: 'payment_in',
  status: 'completed',
  gross_amount: '25',
  net_amount: '24.75',
  expected_amount: '25',
  currency: 'USDC',
  network: 'polygon',
  unique_asset_id: 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  from: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  from_type: 'wallet',
  to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  to_type: 'vault',
  financial_provider: 'onchain',
  transaction_hash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  payment_request_id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
  reference_id: 'order-1042',
  settlement_id: '0193b2f9-0d14-7e55-b1c3-8f7a6b5c4d3e',
  created_at: '2026-01-15T09:30:12.345Z',
  updated_at: '2026-01-15T09:30:12.345Z',
};

const WITHDRAWAL: TransactionDto = {
  ...PAYMENT,
  id: '0193b2f9-3b7c-7d21-a4e6-5f6e7d8c9b0a',
  type: 'withdraw',
  from: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  from_type: 'vault',
  to: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  to_type: 'settlement_address',
  transaction_hash: '0xc1f7ae2e4a2c3b0d9a8f7e6d5c4b3a29181716151413121110f0e0d0c0b0a090',
  payment_request_id: undefined,
  reference_id: undefined,
  created_at: '2026-01-15T09:35:31.002Z',
  updated_at: '2026-01-15T09:35:55.480Z',
};

const DEPOSIT: TransactionDto = {
  ...PAYMENT,
  id: '0193b2fb-2c41-7f3e-9b55-6d7e8f9a0b1c',
  type: 'deposit',
  gross_amount: '5',
  net_amount: '4.95',
  expected_amount: '5',
  settlement_id: undefined,
  transaction_hash: '0x5e1d3a76fbf824220eafc8c79ad578ad2b67d01b0c2425eb1f1347e8f50882ab',
  created_at: '2026-01-15T09:37:40.118Z',
  updated_at: '2026-01-15T09:37:40.118Z',
};

const REVERSAL: TransactionDto = {
  ...DEPOSIT,
  id: '0193b301-77d0-7a92-8e0f-3b4c5d6e7f80',
  type: 'adjustment',
  gross_amount: '-5',
  net_amount: '-4.95',
  expected_amount: '-5',
  created_at: '2026-01-15T09:44:32.720Z',
  updated_at: '2026-01-15T09:44:32.720Z',
};

export const TRANSACTION_EXAMPLES = [REVERSAL, DEPOSIT, WITHDRAWAL, PAYMENT];
