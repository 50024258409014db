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
import { SettlementAddressQueries } from '../persistence/settlement-address-queries.js';
import {
  presentSettlementAddress,
  SETTLEMENT_ADDRESS_EXAMPLE,
  SettlementAddressAnswer,
} from './settlement-address.dto.js';

@ApiTags('Accounts')
@Controller('v1/account/:accountID/settlement-addresses')
export class SettlementAddressController {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly addresses: SettlementAddressQueries,
  ) {}

  @Get()
  @ApiPathId('accountID', 'Id of the account. An account-level key can use only its own account.')
  @DocumentedOperation('listSettlementAddresses', 'List settlement addresses', {
    description:
      'Returns the settlement address of an account on each network on which it can collect payments, ordered ' +
      'by network. New payment requests use these addresses; existing payment requests keep the address that ' +
      'they were created with. Only the operator of the service can set settlement addresses.',
    page: [SettlementAddressAnswer, 'One page of settlement addresses.', [SETTLEMENT_ADDRESS_EXAMPLE]],
    errors: ['account_not_allowed', 'not_found'],
  })
  async list(
    @CurrentPrincipal() { scope }: Principal,
    @Param('accountID') account: string,
    @Query() query: PageQuery,
  ): Promise<PageBody<SettlementAddressAnswer>> {
    const page = toPageRequest(query);
    const owner = await this.accounts.requireAccountInPath(scope, account);
    const found = await this.addresses.listEffectiveTerms(owner, page);
    return presentListPage(found, page, presentSettlementAddress);
  }
}
