import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';

@Global()
@Module({})
export class SettingsModule {
  static forRoot(settings: readonly object[]): DynamicModule {
    const providers = settings.map((value) => ({ provide: value.constructor as Type, useValue: value }));
    return { module: SettingsModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
