import catchUp from 'payment-collection-medusa/catch-up';

export default async function catchUpAll(container) {
  for (const provider of JSON.parse(process.env.PROVIDERS)) await catchUp(container, provider);
}

export const config = { name: 'catch-up', schedule: '* * * * * *' };
