import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import {
  PageQuery,
  presentListPage,
  toPageRequest,
  type PageBody,
} from '#shared/platform/http/answers/pagination.dto.js';
import { ApiPathId } from '#shared/platform/http/validation/uuid-param.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { SettlementQueries } from '../persistence/settlement-queries.js';
import { presentSettlement, SETTLEMENT_EXAMPLE, SettlementAnswer } from './settlement.dto.js';

@ApiTags('Transactions')
@Controller('v1/transactions/settlement/:accountID')
export class SettlementController {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly settlements: SettlementQueries,
  ) {}

  @Get()
  @ApiPathId('accountID', 'Id of the account. An account-level key can use only its own account.')
  @DocumentedOperation('listSettlements', 'List the settlements of an account', {
    description:
      'Returns settlements, newest first. A settlement is the delivery of an account’s funds in one asset to ' +
      'one settlement address by one transaction. The service detects settlements on the chain, regardless of ' +
      'who sent the transaction.',
    page: [SettlementAnswer, 'A page of settlements.', [SETTLEMENT_EXAMPLE]],
    errors: ['account_not_allowed'],
  })
  async list(
    @CurrentPrincipal() { scope }: Principal,
    @Param('accountID') account: string,
    @Query() query: PageQuery,
  ): Promise<PageBody<SettlementAnswer>> {
    const page = toPageRequest(query);
    const owner = await this.accounts.narrowScopeToPath(scope, account);
    const found = await this.settlements.page(owner, page);
    return presentListPage(found, page, presentSettlement);
  }
}
