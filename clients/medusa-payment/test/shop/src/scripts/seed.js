// Creates a shop that sells a mug for 10 USD plus 2.50 USD shipping.
import { writeFileSync } from 'node:fs';
import { Modules } from '@medusajs/framework/utils';
import * as flows from '@medusajs/medusa/core-flows';

export default async function seed({ container }) {
  const run = async (workflow, input) => (await flows[workflow](container).run({ input })).result;
  const link = container.resolve('link');
  const fulfillment = container.resolve(Modules.FULFILLMENT);
  const payment_providers = JSON.parse(process.env.PROVIDERS).map(({ id }) => `pp_payment-collection_${id}`);

  const [channel] = await run('createSalesChannelsWorkflow', { salesChannelsData: [{ name: 'Web' }] });
  const [region] = await run('createRegionsWorkflow', {
    regions: [{ name: 'US', currency_code: 'usd', countries: ['us'], payment_providers }],
  });
  const address = { country_code: 'us', address_1: '1 Road' };
  const [location] = await run('createStockLocationsWorkflow', { locations: [{ name: 'Shelf', address }] });
  const [profile] = await run('createShippingProfilesWorkflow', { data: [{ name: 'All', type: 'default' }] });
  const zone = { name: 'US', geo_zones: [{ country_code: 'us', type: 'country' }] };
  const set = await fulfillment.createFulfillmentSets({
    name: 'US',
    type: 'shipping',
    service_zones: [zone],
  });
  const stock = { [Modules.STOCK_LOCATION]: { stock_location_id: location.id } };
  await link.create({ ...stock, [Modules.FULFILLMENT]: { fulfillment_provider_id: 'manual_manual' } });
  await link.create({ ...stock, [Modules.FULFILLMENT]: { fulfillment_set_id: set.id } });
  const rule = (attribute, value) => ({ attribute, value, operator: 'eq' });
  const [option] = await run('createShippingOptionsWorkflow', [
    {
      name: 'Post',
      price_type: 'flat',
      provider_id: 'manual_manual',
      service_zone_id: set.service_zones[0].id,
      shipping_profile_id: profile.id,
      type: { label: 'Post', description: 'Post', code: 'post' },
      prices: [{ currency_code: 'usd', amount: 2.5 }],
      rules: [rule('enabled_in_store', 'true'), rule('is_return', 'false')],
    },
  ]);
  await run('linkSalesChannelsToStockLocationWorkflow', { id: location.id, add: [channel.id] });
  const variant = { title: 'One', sku: 'mug', options: { Size: 'One' }, manage_inventory: true };
  const product = { title: 'Mug', status: 'published', options: [{ title: 'Size', values: ['One'] }] };
  const [mug] = await run('createProductsWorkflow', {
    products: [
      {
        ...product,
        shipping_profile_id: profile.id,
        variants: [{ ...variant, prices: [{ amount: 10, currency_code: 'usd' }] }],
        sales_channels: [{ id: channel.id }],
      },
    ],
  });
  const { data } = await container.resolve('query').graph({ entity: 'inventory_item', fields: ['id'] });
  const level = { location_id: location.id, stocked_quantity: 1_000, inventory_item_id: data[0].id };
  await run('createInventoryLevelsWorkflow', { inventory_levels: [level] });
  const key = (type) => ({ api_keys: [{ title: type, type, created_by: 'seed' }] });
  const [publishable] = await run('createApiKeysWorkflow', key('publishable'));
  await run('linkSalesChannelsToApiKeyWorkflow', { id: publishable.id, add: [channel.id] });
  const [secret] = await run('createApiKeysWorkflow', key('secret'));

  const seeded = {
    regionId: region.id,
    shippingOptionId: option.id,
    variantId: mug.variants[0].id,
    inventoryItemId: data[0].id,
    locationId: location.id,
    publishableKey: publishable.token,
    secretKey: secret.token,
  };
  writeFileSync(process.env.SEEDED, JSON.stringify(seeded));
}
