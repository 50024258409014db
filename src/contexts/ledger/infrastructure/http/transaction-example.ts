import type { PageBody } from '../../../../shared/platform/http/paging.dto.js';
import type { TransactionDto } from './transaction.dto.js';

/** The reference's example: a payment of 25 units, one percent of which is the service fee. */
export const EXAMPLE_PAGE: PageBody<TransactionDto> = {
  data: [
    {
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
      created_at: '2026-01-15T09:30:12.345Z',
      updated_at: '2026-01-15T09:30:12.345Z',
    },
  ],
  total: 1,
  page: 1,
  page_size: 50,
  total_pages: 1,
};
