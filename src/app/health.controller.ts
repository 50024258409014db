import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Database } from '../shared/platform/database/database.js';
import { namedSchema } from '../shared/platform/http/openapi/schema-names.js';
import { Public, RawAnswer } from '../shared/platform/http/callers/route-markers.js';

const HEALTH = namedSchema('Health', {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', enum: ['ok'] } },
});

@ApiTags('Operation')
@Controller('health')
export class HealthController {
  private asking: Promise<unknown> | undefined;

  constructor(private readonly database: Database) {}

  @Get()
  @Public()
  @RawAnswer()
  @ApiOperation({ summary: 'Health', description: 'Answers 200 while this process can reach its database.' })
  @ApiOkResponse({
    description: 'Ready to serve. Outside the envelope.',
    content: { 'application/json': { schema: HEALTH, example: { status: 'ok' } } },
  })
  async health(): Promise<{ status: 'ok' }> {
    // Anybody may ask, and however many do at once, the database is asked once.
    this.asking ??= this.database.query('SELECT 1').finally(() => (this.asking = undefined));
    await this.asking;
    return { status: 'ok' };
  }
}
