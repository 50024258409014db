import type { Translations } from './translation.js';

export const SUBSCRIPTION_WORDS = {
  'Subscriptions, newest first': [
    'Suscripciones, primero las más recientes',
    'Assinaturas, primeiro as mais recentes',
  ],
  'Offer a subscription': ['Ofrecer una suscripción', 'Oferecer uma assinatura'],
  'Offer the subscription': ['Ofrecer la suscripción', 'Oferecer a assinatura'],
  'No subscription has this status.': [
    'Ninguna suscripción tiene este estado.',
    'Nenhuma assinatura tem este status.',
  ],
  'Show all subscriptions': ['Mostrar todas las suscripciones', 'Mostrar todas as assinaturas'],
  'No subscription yet.': ['Todavía no hay suscripciones.', 'Ainda não há assinaturas.'],
  'A subscription is an amount that a wallet agrees to pay on each due date.': [
    'Una suscripción es un importe que una billetera acepta pagar en cada vencimiento.',
    'Uma assinatura é um valor que uma carteira aceita pagar em cada vencimento.',
  ],
  Charged: ['Cobro', 'Cobrança'],
  'each day': ['cada día', 'por dia'],
  'each week': ['cada semana', 'por semana'],
  'each month': ['cada mes', 'por mês'],
  'each year': ['cada año', 'por ano'],
  'for a wallet': ['de una billetera', 'de uma carteira'],
  'Next due date': ['Próximo vencimiento', 'Próximo vencimento'],
  'A wallet can accept the offer for 24 hours. The amount is then charged on each due date.': [
    'Una billetera puede aceptar la oferta durante 24 horas. Después el importe se cobra en cada vencimiento.',
    'Uma carteira pode aceitar a oferta por 24 horas. Depois o valor é cobrado em cada vencimento.',
  ],
  'Online points of sale alone have subscriptions.': [
    'Solo los puntos de venta en línea tienen suscripciones.',
    'Só os pontos de venda online têm assinaturas.',
  ],
  'Amount of each charge': ['Importe de cada cobro', 'Valor de cada cobrança'],
  'In whole units of the asset, like 12.50.': [
    'En unidades del activo, como 12.50.',
    'Em unidades do ativo, como 12.50.',
  ],
  'One that the point of sale takes.': [
    'Uno que el punto de venta acepta.',
    'Um que o ponto de venda aceita.',
  ],
  'Reference (optional)': ['Referencia (opcional)', 'Referência (opcional)'],
  'Your own id of it; the payments of its charges have it too.': [
    'Un id propio de la suscripción; los pagos de sus cobros también lo llevan.',
    'Um id próprio da assinatura; os pagamentos das cobranças também o têm.',
  ],
  'First due date (optional)': ['Primer vencimiento (opcional)', 'Primeiro vencimento (opcional)'],
  'In UTC; without it the acceptance is.': [
    'En UTC; si falta, es el momento de la aceptación.',
    'Em UTC; se faltar, é o momento da aceitação.',
  ],
  'End (optional)': ['Fin (opcional)', 'Fim (opcional)'],
  'In UTC; due dates on or after it are not charged.': [
    'En UTC; lo que vence ese día o después no se cobra.',
    'Em UTC; o que vence nesse dia ou depois não é cobrado.',
  ],
  'Type the word: revoke': ['Escribir la palabra: revoke', 'Digite a palavra: revoke'],
  'The subscription is offered. A wallet accepts it on the payer’s behalf.': [
    'La suscripción está ofrecida. Una billetera la acepta en nombre del pagador.',
    'A assinatura foi oferecida. Uma carteira a aceita em nome do pagador.',
  ],
  'Nothing is charged any more. A payment request that is open runs out by itself.': [
    'Ya no se cobra nada. Una solicitud de pago abierta caduca por sí sola.',
    'Nada mais é cobrado. Uma solicitação de pagamento aberta expira sozinha.',
  ],
  'Page to send the payer to': ['Página para enviar al pagador', 'Página para enviar ao pagador'],
  'Subscription id': ['Id de la suscripción', 'Id da assinatura'],
  Charges: ['Cobros', 'Cobranças'],
  'Charges, newest first': ['Cobros, primero los más recientes', 'Cobranças, primeiro as mais recentes'],
  'Nothing was charged yet.': ['Todavía no se cobró nada.', 'Nada foi cobrado ainda.'],
  'The first charge is made when a wallet has accepted, on the first due date.': [
    'El primer cobro se hace cuando una billetera ha aceptado, en el primer vencimiento.',
    'A primeira cobrança é feita depois que uma carteira aceita, no primeiro vencimento.',
  ],
  Due: ['Vence', 'Vencimento'],
  'about to be opened': ['a punto de abrirse', 'prestes a ser aberto'],
  'Revoked by': ['Revocada por', 'Revogada por'],
  'the merchant': ['el comercio', 'o comerciante'],
  'the wallet': ['la billetera', 'a carteira'],
  'the payer': ['el pagador', 'o pagador'],
  'the service: charges stayed unpaid': [
    'el servicio: quedaron cobros impagados',
    'o serviço: cobranças ficaram sem pagamento',
  ],
  Wallet: ['Billetera', 'Carteira'],
  'Trial until': ['Prueba hasta', 'Teste até'],
  Ends: ['Termina', 'Termina'],
  'Offered until': ['Ofrecida hasta', 'Oferecida até'],
  'Revoke for good': ['Revocar para siempre', 'Revogar para sempre'],
  'Nothing is charged from then on. There is no way back.': [
    'Desde entonces no se cobra nada. No se puede deshacer.',
    'A partir de então nada é cobrado. Não dá para desfazer.',
  ],
  'Revoke the subscription': ['Revocar la suscripción', 'Revogar a assinatura'],
} as const satisfies Translations;
