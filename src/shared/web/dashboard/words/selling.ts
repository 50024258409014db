import type { Translations } from './translation.js';

/** Payment links and points of sale. */
export const SELLING_WORDS = {
  'Payment links, newest first': [
    'Enlaces de pago, primero los más recientes',
    'Links de pagamento, primeiro os mais recentes',
  ],
  'Create a link': ['Crear un enlace', 'Criar um link'],
  'No link is active.': ['Ningún enlace está activo.', 'Nenhum link está ativo.'],
  'No link is inactive.': ['Ningún enlace está inactivo.', 'Nenhum link está inativo.'],
  'Show all links': ['Mostrar todos los enlaces', 'Mostrar todos os links'],
  'No payment link yet.': ['Todavía no hay enlaces de pago.', 'Ainda não há links de pagamento.'],
  'A link is a page of one price: who opens it pays, without a shop of yours. Send it by mail, or print its code.':
    [
      'Un enlace es una página de un solo precio: quien lo abre paga, sin necesidad de una tienda. Se puede enviar por correo o imprimir su código.',
      'Um link é uma página de um único preço: quem o abre paga, sem precisar de uma loja. Envie por e-mail, ou imprima o código.',
    ],
  Price: ['Precio', 'Preço'],
  Code: ['Código', 'Código'],
  'Create a payment link': ['Crear un enlace de pago', 'Criar um link de pagamento'],
  'Create the link': ['Crear el enlace', 'Criar o link'],
  'Online points of sale alone have links.': [
    'Solo los puntos de venta en línea tienen enlaces.',
    'Só os pontos de venda online têm links.',
  ],
  'In whole units, like 12.50.': [
    'En unidades de la moneda, como 12.50.',
    'Em unidades da moeda, como 12.50.',
  ],
  'An ISO 4217 currency, like EUR, or the symbol of an asset, like USDC.': [
    'Una moneda ISO 4217, como EUR, o el símbolo de un activo, como USDC.',
    'Uma moeda ISO 4217, como EUR, ou o símbolo de um ativo, como USDC.',
  ],
  'https:// address where the payer is sent at the end; the point of sale’s own unless given.': [
    'Dirección https:// a la que va el pagador al final; sin ella, la del punto de venta.',
    'Endereço https:// para onde o pagador vai no final; sem ele, o do ponto de venda.',
  ],
  'No online point of sale yet.': [
    'Todavía no hay puntos de venta en línea.',
    'Ainda não há pontos de venda online.',
  ],
  'A link collects on one.': [
    'Un enlace cobra por medio de uno de ellos.',
    'Um link cobra por meio de um deles.',
  ],
  'Link for {price}': ['Enlace por {price}', 'Link de {price}'],
  'Page to send payers to': ['Página para enviar a los pagadores', 'Página para enviar aos pagadores'],
  'QR code of the link': ['Código QR del enlace', 'Código QR do link'],
  'Link id': ['Id del enlace', 'Id do link'],
  'of the point of sale': ['la del punto de venta', 'o do ponto de venda'],
  'The link is created, and active.': ['El enlace se creó y está activo.', 'O link foi criado e está ativo.'],
  'The link opens checkouts again.': [
    'El enlace vuelve a abrir páginas de pago.',
    'O link voltou a abrir páginas de pagamento.',
  ],
  'The link opens no more checkouts. What it has opened already stays payable.': [
    'El enlace ya no abre páginas de pago. Las que ya abrió se pueden seguir pagando.',
    'O link não abre mais páginas de pagamento. As que já abriu ainda podem ser pagas.',
  ],
  'Points of sale, oldest first': [
    'Puntos de venta, primero los más antiguos',
    'Pontos de venda, primeiro os mais antigos',
  ],
  'No point of sale yet.': ['Todavía no hay puntos de venta.', 'Ainda não há pontos de venda.'],
  'Payments are collected on one: a shop’s site, a till, a branch.': [
    'Por medio de ellos se cobra: el sitio de una tienda, una caja, una sucursal.',
    'Por meio deles se cobra: o site de uma loja, um caixa, uma filial.',
  ],
  'Create a point of sale': ['Crear un punto de venta', 'Criar um ponto de venda'],
  'Create the point of sale': ['Crear el punto de venta', 'Criar o ponto de venda'],
  'Point of sale id': ['Id del punto de venta', 'Id do ponto de venda'],
  Online: ['En línea', 'Online'],
  Physical: ['Físico', 'Físico'],
  'Online: any number of open requests. Physical: one at a time. It never changes.': [
    'En línea: cualquier número de solicitudes abiertas. Físico: una a la vez. No cambia nunca.',
    'Online: qualquer número de solicitações abertas. Físico: uma de cada vez. Nunca muda.',
  ],
  'Whose it is; it never changes.': ['De quién es; no cambia nunca.', 'De quem é; nunca muda.'],
  'Your own name of it.': ['Nombre para uso propio.', 'Nome para uso próprio.'],
  Merchant: ['Comercio', 'Comerciante'],
  'As payers see the merchant.': [
    'Como los pagadores ven al comercio.',
    'Como os pagadores veem o comerciante.',
  ],
  'Merchant’s description (optional)': [
    'Descripción del comercio (opcional)',
    'Descrição do comerciante (opcional)',
  ],
  'Logo (optional)': ['Logotipo (opcional)', 'Logotipo (opcional)'],
  'https:// address of a picture.': ['Dirección https:// de una imagen.', 'Endereço https:// de uma imagem.'],
  'Merchant category code (optional)': [
    'Código de categoría del comercio (opcional)',
    'Código de categoria do comerciante (opcional)',
  ],
  'Four digits, like 5814.': ['Cuatro dígitos, como 5814.', 'Quatro dígitos, como 5814.'],
  'Assets that it takes': ['Activos que acepta', 'Ativos que aceita'],
  Assets: ['Activos', 'Ativos'],
  'Return address': ['Dirección de retorno', 'Endereço de retorno'],
  'Return address (optional)': ['Dirección de retorno (opcional)', 'Endereço de retorno (opcional)'],
  'https:// address where payers are sent at the end.': [
    'Dirección https:// a la que van los pagadores al final.',
    'Endereço https:// para onde os pagadores vão no final.',
  ],
  'not set': ['sin definir', 'não definido'],
  Frames: ['Incrustado en', 'Incorporado em'],
  'Sites that may frame the checkout, one on each line (optional)': [
    'Sitios que pueden incrustar la página de pago, uno por línea (opcional)',
    'Sites que podem incorporar a página de pagamento, um por linha (opcional)',
  ],
  'Like https://shop.example, without a path.': [
    'Como https://shop.example, sin ruta.',
    'Como https://shop.example, sem caminho.',
  ],
  'First on the checkout': ['Primero en la página de pago', 'Primeiro na página de pagamento'],
  'Payers can switch.': ['Los pagadores pueden cambiarlo.', 'Os pagadores podem trocar.'],
  'Address and amount, for any wallet': [
    'Dirección e importe, para cualquier billetera',
    'Endereço e valor, para qualquer carteira',
  ],
  'Payment code, for wallets that read it': [
    'Código de pago, para billeteras que lo leen',
    'Código de pagamento, para carteiras que o leem',
  ],
  'The point of sale is created, and collects at once.': [
    'El punto de venta se creó y cobra de inmediato.',
    'O ponto de venda foi criado e cobra de imediato.',
  ],
  'The change is for payment requests from now on; those that exist stay as they are.': [
    'El cambio vale para las solicitudes de pago desde ahora; las que existen quedan como están.',
    'A alteração vale para as solicitações de pagamento a partir de agora; as que existem ficam como estão.',
  ],
  'Payers type the amount at the printed code (physical ones alone)': [
    'Los pagadores escriben el importe en el código impreso (solo los físicos)',
    'Os pagadores digitam o valor no código impresso (só os físicos)',
  ],
  'Currency of the till': ['Moneda de la caja', 'Moeda do caixa'],
  'Currency of the till (optional)': ['Moneda de la caja (opcional)', 'Moeda do caixa (opcional)'],
  'Tips in percent': ['Propinas en porcentaje', 'Gorjetas em porcentagem'],
  'Tips in percent (optional)': ['Propinas en porcentaje (opcional)', 'Gorjetas em porcentagem (opcional)'],
  'At most four whole numbers, like 5, 10.': [
    'Como máximo cuatro números enteros, como 5, 10.',
    'No máximo quatro números inteiros, como 5, 10.',
  ],
  'Products of the till': ['Productos de la caja', 'Produtos do caixa'],
  'Products of the till, one on each line (optional)': [
    'Productos de la caja, uno por línea (opcional)',
    'Produtos do caixa, um por linha (opcional)',
  ],
  'Name and price, like: Flat white = 4.20': [
    'Nombre y precio, como: Café con leche = 4.20',
    'Nome e preço, como: Café com leite = 4.20',
  ],
  'Printed code': ['Código impreso', 'Código impresso'],
  'Payers who scan it pay what the cashier has asked for.': [
    'Quien lo escanea paga lo que la caja ha pedido.',
    'Quem o escaneia paga o que o caixa pediu.',
  ],
  'Payers who scan it pay what the cashier has asked for, or type the amount.': [
    'Quien lo escanea paga lo que la caja ha pedido, o escribe el importe.',
    'Quem o escaneia paga o que o caixa pediu, ou digita o valor.',
  ],
  'Content of the code': ['Contenido del código', 'Conteúdo do código'],
  'Sheet for the till': ['Hoja para la caja', 'Folha para o caixa'],
  'Print it once: the code never changes, and leads to what there is to pay at the moment.': [
    'Basta imprimirla una vez: el código no cambia nunca y lleva a lo que haya que pagar en el momento.',
    'Basta imprimi-la uma vez: o código nunca muda e leva ao que houver a pagar no momento.',
  ],
  Print: ['Imprimir', 'Imprimir'],
  'Scan to pay.': ['Escanee para pagar.', 'Escaneie para pagar.'],
  'Scan, type the amount, and pay.': [
    'Escanee, escriba el importe y pague.',
    'Escaneie, digite o valor e pague.',
  ],
  'QR code of the till': ['Código QR de la caja', 'Código QR do caixa'],
  'Settlement terms': ['Condiciones de liquidación', 'Condições de liquidação'],
  'Settlement terms in force, by network': [
    'Condiciones de liquidación vigentes, por red',
    'Condições de liquidação em vigor, por rede',
  ],
  'No settlement terms yet: no payment can be asked for.': [
    'Todavía no hay condiciones de liquidación: no se puede pedir ningún pago.',
    'Ainda não há condições de liquidação: nenhum pagamento pode ser pedido.',
  ],
  'The operator of the service sets them: where money goes, by network, and the fee.': [
    'Las fija el operador del servicio: adónde va el dinero, por red, y la comisión.',
    'Quem as define é o operador do serviço: para onde vai o dinheiro, por rede, e a taxa.',
  ],
  'Delivered to': ['Entregado a', 'Entregue a'],
  Fee: ['Comisión', 'Taxa'],
  'Set for': ['Fijado para', 'Definido para'],
  'the organization': ['la organización', 'a organização'],
  Tills: ['Cajas', 'Caixas'],
  'Paired phones, oldest first': [
    'Teléfonos vinculados, primero los más antiguos',
    'Celulares emparelhados, primeiro os mais antigos',
  ],
  'No phone is paired.': ['No hay ningún teléfono vinculado.', 'Nenhum celular está emparelhado.'],
  'A paired phone is a till: it asks for payments here, and can do nothing else.': [
    'Un teléfono vinculado es una caja: pide pagos aquí, y no puede hacer nada más.',
    'Um celular emparelhado é um caixa: pede pagamentos aqui, e não pode fazer mais nada.',
  ],
  Paired: ['Vinculado', 'Emparelhado'],
  Revoke: ['Revocar', 'Revogar'],
  'Revoke {name}': ['Revocar {name}', 'Revogar {name}'],
  'The phone is refused from now on.': [
    'Desde ahora se rechaza el teléfono.',
    'A partir de agora o celular é recusado.',
  ],
  'Pair a phone': ['Vincular un teléfono', 'Emparelhar um celular'],
  'Pair a phone with {name}': ['Vincular un teléfono con {name}', 'Emparelhar um celular com {name}'],
  'pair a phone with a point of sale': [
    'vincular un teléfono con un punto de venta',
    'emparelhar um celular com um ponto de venda',
  ],
  'Physical points of sale alone have tills.': [
    'Solo los puntos de venta físicos tienen cajas.',
    'Só os pontos de venda físicos têm caixas.',
  ],
  'The code was shown, and cannot be shown again. Make another one if it was not used.': [
    'El código se mostró y no se puede mostrar de nuevo. Haga otro si no se usó.',
    'O código foi mostrado e não pode ser mostrado de novo. Faça outro se não foi usado.',
  ],
  'A phone that is paired with a point of sale asks for payments there, shows them, and ends those that are not paid. It can do nothing else.':
    [
      'Un teléfono vinculado con un punto de venta pide pagos allí, los muestra y termina los que no se pagan. No puede hacer nada más.',
      'Um celular emparelhado com um ponto de venda pede pagamentos ali, mostra-os e encerra os que não são pagos. Não pode fazer mais nada.',
    ],
  'Scan this with the phone, or open the address on it and type the code.': [
    'Escanee esto con el teléfono, o abra en él la dirección y escriba el código.',
    'Escaneie isto com o celular, ou abra nele o endereço e digite o código.',
  ],
  'QR code that pairs the phone': ['Código QR que vincula el teléfono', 'Código QR que emparelha o celular'],
  'Pairing code': ['Código de vinculación', 'Código de emparelhamento'],
  'The code pairs one phone. It is shown only now: loading this page again does not show it.': [
    'El código vincula un teléfono. Se muestra solo ahora: al cargar de nuevo esta página no se muestra.',
    'O código emparelha um celular. É mostrado só agora: ao carregar esta página de novo não aparece.',
  ],
  'Works until': ['Vale hasta', 'Vale até'],
  'The phone is paired': ['El teléfono está vinculado', 'O celular está emparelhado'],
} as const satisfies Translations;
