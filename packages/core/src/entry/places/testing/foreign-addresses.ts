import { type ExpectedAddress, type Random, seeded } from './random.ts';

/** Returns a random address, with its expected parts. The text can omit the country or the postal code. */
type Generate = (random: Random) => Omit<ExpectedAddress, 'country'>;

const CHINA = `广东省 深圳市 南山区 科苑路 Guangdong Shenzhen Nanshan Keyuan|广东省 东莞市 长安镇 振安西路 Guangdong Dongguan Chang'an Zhen'an_West
浙江省 义乌市 稠江街道 雪峰西路 Zhejiang Yiwu Choujiang Xuefeng_West|江苏省 苏州市 工业园区 星湖街 Jiangsu Suzhou Wuzhong Xinghu
福建省 泉州市 晋江市 世纪大道 Fujian Quanzhou Jinjiang Shiji|山东省 青岛市 黄岛区 长江中路 Shandong Qingdao Huangdao Changjiang_Middle
内蒙古自治区 呼和浩特市 新城区 中山东路 Inner_Mongolia Hohhot Xincheng Zhongshan_East|广西壮族自治区 南宁市 青秀区 民族大道 Guangxi Nanning Qingxiu Minzu
云南省 大理白族自治州 大理市 人民路 Yunnan Dali Xiaguan Renmin|陕西省 西安市 雁塔区 科技路 Shaanxi Xi'an Yanta Keji|河北省 石家庄市 长安区 中山路 Hebei Shijiazhuang Chang'an Zhongshan
吉林省 吉林市 船营区 解放路 Jilin Jilin Chuanying Jiefang|海南省 海口市 龙华区 滨海大道 Hainan Haikou Longhua Binhai|四川省 成都市 武侯区 天府大道 Sichuan Chengdu Wuhou Tianfu`;
const CHINESE_CITIES = `上海市 浦东新区 世纪大道 Shanghai Pudong Century|北京市 朝阳区 建国路 Beijing Chaoyang Jianguo|天津市 滨海新区 第三大街 Tianjin Binhai Disan|重庆市 渝中区 民权路 Chongqing Yuzhong Minquan`;
const rows = (text: string) => text.split(/[|\n]/).map(row => row.split(' ').map(cell => cell.replaceAll('_', ' ')));

const china: Generate = ({ pick, chance, digits, int }) => {
  const postalCode = chance(0.6) ? digits(6) : '';
  const number = digits(int(1, 3));
  const municipal = chance(0.2);
  const [province = '', city = '', district = '', road = '', state = '', place = '', area = '', street = ''] = municipal
    ? (([c, d, r, s, a, st]) => [c, c, d, r, s, s, a, st])(pick(rows(CHINESE_CITIES)))
    : pick(rows(CHINA));
  if (chance(0.5)) {
    const unit = pick(['', '1栋', '5号楼301室', 'B座12层', '（科技园）']);
    const line = `${district}${road}${number}号${unit}`;
    const body = `${municipal ? '' : province}${chance(0.15) ? ' ' : ''}${city}${chance(0.15) ? ' ' : ''}${line}`;
    const text = pick([
      () => `中国${body}${postalCode && ` ${postalCode}`}`,
      () => `${body}，中国${postalCode && ` ${postalCode}`}`,
      () => `${postalCode && `${postalCode} `}中国 ${body}`,
      () => `中华人民共和国${body}${postalCode && `（邮编：${postalCode}）`}`,
      () => `${body}\n${postalCode ? `邮编 ${postalCode}\n` : ''}中国`,
      () => `${body}${postalCode && ` ${postalCode}`}, China`,
    ])();
    return {
      text,
      street: `${road}${number}`,
      city,
      state: municipal ? city : province,
      postalCode,
    };
  }
  const line = pick([
    `No. ${number} ${street} Road`,
    `${number} ${street} Rd.`,
    `Building 5, No.${number} ${street} Road`,
    `Room 301, Block B, ${number} ${street} Avenue`,
  ]);
  const cityForm = pick([place, place, `${place} City`]);
  const stateForm = municipal ? '' : pick([state, state, `${state} Province`]);
  const tail = pick([
    () => [cityForm, `${stateForm}${postalCode && ` ${postalCode}`}`.trim(), 'China'],
    () => [`${cityForm}${postalCode && ` ${postalCode}`}`, stateForm, pick(['China', 'P.R. China', 'CHINA', 'PRC'])],
    () => [cityForm, stateForm, `${pick(['China', 'P. R. China'])}${postalCode && ` ${postalCode}`}`],
    () => [cityForm, stateForm, postalCode, "People's Republic of China"],
  ])();
  const areaForm = chance(0.8) ? [`${area} ${pick(['District', 'Dist.'])}`] : [];
  const parts = [line, ...areaForm, ...tail].filter(part => part !== '');
  return {
    text: parts.join(pick([', ', ', ', '\n'])),
    street: line,
    city: cityForm,
    state: municipal ? cityForm : stateForm,
    postalCode,
  };
};

const TAIWAN = `臺北市 信義區 市府路 Taipei_City Xinyi Shifu|新北市 板橋區 縣民大道 New_Taipei_City Banqiao Xianmin|桃園市 龜山區 文化一路 Taoyuan_City Guishan Wenhua_1st
台中市 西屯區 臺灣大道 Taichung_City Xitun Taiwan|高雄市 前鎮區 成功二路 Kaohsiung_City Qianzhen Chenggong_2nd|新竹縣 竹北市 光明六路 Hsinchu_County Zhubei Guangming_6th
彰化縣 彰化市 中山路 Changhua_County Changhua Zhongshan|臺南市 安南區 工業二路 Tainan_City Annan Gongye_2nd|屏東縣 屏東市 自由路 Pingtung_County Pingtung Ziyou`;

const taiwan: Generate = ({ pick, chance, digits, int }) => {
  const postalCode = chance(0.7) ? pick([digits(3), digits(5), digits(6)]) : '';
  const number = digits(int(1, 3));
  const [city = '', district = '', road = '', place = '', area = '', street = ''] = pick(rows(TAIWAN));
  if (chance(0.5)) {
    const line = `${road}${pick(['', '1段', '二段'])}${number}號${pick(['', '5樓', '之1'])}`;
    const text = pick([
      () => `臺灣${postalCode && ` ${postalCode} `}${city}${district}${line}`,
      () => `${postalCode}${city}${district}${line}, 台灣`,
      () => `${postalCode && `${postalCode} `}${city} ${district} ${line}\n中華民國`,
      () => `${city}${district}${line}${postalCode && ` (${postalCode})`}, Taiwan`,
    ])();
    return { text, street: road, city, state: '', postalCode };
  }
  const line = `${chance(0.3) ? '5F., ' : ''}No. ${number}, ${chance(0.4) ? `Sec. ${int(1, 7)}, ` : ''}${street} Rd.`;
  const text = `${line}, ${area} ${pick(['Dist.', 'District'])}, ${place}${postalCode && ` ${postalCode}`}, ${pick(['Taiwan', 'Taiwan (R.O.C.)', 'Taiwan, R.O.C.', 'TAIWAN'])}`;
  return { text, street: line, city: place, state: '', postalCode };
};

const JAPAN = `東京都 千代田区 丸の内 Tokyo Chiyoda-ku Marunouchi|大阪府 大阪市 北区梅田 Osaka Osaka-shi Umeda|神奈川県 横浜市 西区みなとみらい Kanagawa Yokohama-shi Minatomirai
愛知県 名古屋市 中村区名駅 Aichi Nagoya-shi Meieki|北海道 札幌市 中央区北一条西 Hokkaido Sapporo-shi Kitaichijo-nishi|三重県 四日市市 安島 Mie Yokkaichi Yasujima
広島県 廿日市市 下平良 Hiroshima Hatsukaichi Shimohera|千葉県 市川市 八幡 Chiba Ichikawa Yawata|福島県 郡山市 駅前 Fukushima Koriyama Ekimae|東京都 町田市 原町田 Tokyo Machida-shi Haramachida
新潟県 十日町市 川西 Niigata Tokamachi Kawanishi|神奈川県 足柄下郡箱根町 湯本 Kanagawa Hakone-machi Yumoto|京都府 京都市 下京区烏丸 Kyoto Kyoto-shi Karasuma|沖縄県 国頭郡恩納村 前兼久 Okinawa Onna Maeganeku`;

const japan: Generate = ({ pick, chance, digits, int }) => {
  const postalCode = chance(0.7) ? `${digits(3)}-${digits(4)}` : '';
  const [state = '', city = '', town = '', prefecture = '', place = '', area = ''] = pick(rows(JAPAN));
  const block = `${int(1, 9)}-${int(1, 20)}-${int(1, 9)}`;
  if (chance(0.5)) {
    const line = `${town}${pick([block, `${int(1, 9)}丁目${int(1, 20)}番${int(1, 9)}号`])}${pick(['', ' ビル5階'])}`;
    const mark = postalCode && `〒${postalCode}`;
    const text = pick([
      () => `${mark} ${state}${city}${line} 日本`,
      () => `日本 ${mark} ${state}${city}${line}`,
      () => `${mark}\n${state}${city}\n${line}\n日本国`,
      () => `${state}${city}${line}, Japan ${postalCode}`,
    ])().trim();
    return { text, street: town, city, state, postalCode };
  }
  const stateForm = pick([
    prefecture,
    prefecture === 'Tokyo' || prefecture === 'Hokkaido' ? prefecture : `${prefecture} Prefecture`,
  ]);
  const line = pick([`${block} ${area}`, `${area} ${block}`, `5F Sun Building, ${block} ${area}`]);
  const text = pick([
    () => `${line}, ${place}, ${stateForm}${postalCode && ` ${postalCode}`}, Japan`,
    () => `${line}, ${place}, ${stateForm}, Japan${postalCode && ` ${postalCode}`}`,
    () => `${line}\n${place}, ${stateForm}\n${postalCode ? `${postalCode}\n` : ''}JAPAN`,
  ])();
  return { text, street: block, city: place, state: stateForm, postalCode };
};

const KOREA = `경기도 성남시 분당구 판교역로 Gyeonggi-do Seongnam-si Bundang-gu Pangyoyeok-ro|경상남도 창원시 성산구 창원대로 Gyeongsangnam-do Changwon-si Seongsan-gu Changwon-daero
충청북도 청주시 흥덕구 오송생명로 Chungcheongbuk-do Cheongju-si Heungdeok-gu Osongsaengmyeong-ro|경기도 화성시 동탄면 동탄대로 Gyeonggi-do Hwaseong-si Dongtan-myeon Dongtan-daero
강원특별자치도 춘천시 퇴계동 중앙로 Gangwon-do Chuncheon-si Toegye-dong Jungang-ro|전라남도 해남군 해남읍 중앙로 Jeollanam-do Haenam-gun Haenam-eup Jungang-ro
경북 포항시 남구 포스코대로 Gyeongbuk Pohang-si Nam-gu POSCO-daero`;
const KOREAN_CITIES = `서울특별시 강남구 테헤란로 Seoul Gangnam-gu Teheran-ro|부산광역시 해운대구 센텀중앙로 Busan Haeundae-gu Centumjungang-ro|서울 종로구 청와대로 Seoul Jongno-gu Cheongwadae-ro
인천광역시 연수구 송도과학로 Incheon Yeonsu-gu Songdogwahak-ro|세종특별자치시 한누리대로 다솜로 Sejong Hannuri-daero Dasom-ro`;

const korea: Generate = ({ pick, chance, digits, int }) => {
  const postalCode = chance(0.7) ? `0${digits(4)}` : '';
  const metropolitan = chance(0.4);
  const [state = '', city = '', gu = '', road = '', province = '', place = '', area = '', street = ''] = metropolitan
    ? (([c, g, r, s, a, st]) => [c, c, g, r, s, s, a, st])(pick(rows(KOREAN_CITIES)))
    : pick(rows(KOREA));
  const number = digits(int(1, 3));
  if (chance(0.5)) {
    const line = `${gu} ${road} ${number}${pick(['', ', 5층', ' (역삼동)', ' 101동 1203호'])}`;
    const body = metropolitan ? `${state} ${line}` : `${state} ${city} ${line}`;
    const text = pick([
      () => `대한민국 ${body}${postalCode && ` ${postalCode}`}`,
      () => `${postalCode && `(${postalCode}) `}${body}\n대한민국`,
      () => `${body}, 우편번호 ${postalCode || '06236'}, 한국`,
      () => `${body}${postalCode && `, ${postalCode}`}, South Korea`,
    ])();
    return {
      text,
      street: road,
      city,
      state,
      postalCode: text.includes('우편번호') ? postalCode || '06236' : postalCode,
    };
  }
  const line = pick([`${number}, ${street}`, `${number} ${street}`, `5F, ${number}, ${street}`]);
  const where = metropolitan ? pick([place, `${place}-si`]) : place;
  const end = pick(['Korea', 'South Korea', 'Republic of Korea', 'REPUBLIC OF KOREA']);
  const parts = [
    line,
    area,
    ...(metropolitan ? [] : [place]),
    `${metropolitan ? where : province}${postalCode && ` ${postalCode}`}`,
    end,
  ];
  return { text: parts.join(', '), street: line, city: where, state: metropolitan ? where : province, postalCode };
};

const GERMANY =
  'Berlin|München|Köln|Frankfurt am Main|Frankfurt (Oder)|Bad Homburg v. d. Höhe|Halle (Saale)|Mülheim an der Ruhr|St. Ingbert|Neu-Ulm|Rothenburg ob der Tauber|Essen|Aachen|Leer'.split(
    '|',
  );
const GERMAN_STREETS =
  'Musterstraße|Hauptstr.|Am Alten Markt|Königsallee|Unter den Linden|Straße des 17. Juni|Berliner Platz|Auf der Höhe|Lange Gasse|An der B 3'.split(
    '|',
  );

const germany: Generate = ({ pick, chance, digits, int }) => {
  const city = pick(GERMANY);
  const postalCode = digits(5);
  const line = pick([
    () => `${pick(GERMAN_STREETS)} ${int(1, 199)}${pick(['', 'a', '-3', ' b'])}`,
    () => `Postfach ${digits(2)} ${digits(2)} ${digits(2)}`,
    () => `${pick(GERMAN_STREETS)} ${int(1, 99)}, Gebäude 4`,
    () => `c/o Müller GmbH, ${pick(GERMAN_STREETS)} ${int(1, 99)}`,
  ])();
  const prefix = pick(['', '', '', 'D-', 'DE-']);
  const text = `${line}${pick([', ', '\n'])}${prefix}${postalCode} ${city}${pick([', ', '\n'])}${pick(['Germany', 'Deutschland', 'GERMANY', 'Federal Republic of Germany'])}`;
  return { text: chance(0.1) ? text.toUpperCase() : text, street: line, city, state: '', postalCode };
};

const VIETNAM = `Bến Nghé|Quận 1|Hồ Chí Minh|~
Vĩnh Phú|Thuận An|Bình Dương|
Hòa Khánh Bắc|Quận Liên Chiểu|Đà Nẵng|~
Đức Hòa Hạ|Huyện Đức Hòa|Long An|
Phù Chẩn|Từ Sơn|Bắc Ninh|
Hàng Bạc|Quận Hoàn Kiếm|Hà Nội|~
Long Bình|Biên Hòa|Đồng Nai|
Đông Hải 1|Quận Hải An|Hải Phòng|~`.split('\n');
const unmarked = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').replace(/đ/g, 'd').replace(/Đ/g, 'D');

const vietnam: Generate = ({ pick, chance, digits, int }) => {
  const [ward = '', district = '', province = '', municipal = ''] = pick(VIETNAM).split('|');
  const postalCode = chance(0.4) ? pick([digits(5), digits(6)]) : '';
  const line = pick([
    `${int(1, 300)} Lê Lợi`,
    `Số ${int(1, 300)} Nguyễn Huệ`,
    `Lô A-${int(1, 20)}, KCN VSIP`,
    `${int(1, 300)}/${int(1, 20)} Đường số ${int(1, 20)}`,
  ]);
  const isCity = municipal === '~';
  const english = chance(0.4);
  const state = isCity
    ? pick([`Thành phố ${province}`, `TP. ${province}`, province, `${province} City`])
    : pick([`Tỉnh ${province}`, province, `${province} Province`]);
  const districtForm =
    english && district.startsWith('Quận')
      ? `District ${district.slice(5)}`.replace(/District ([^\d].*)/, '$1 District')
      : district;
  const city = isCity ? state : /^(?:Huyện|Quận)/.test(district) ? districtForm : pick([district, `TP. ${district}`]);
  const wardForm = english ? `${ward} Ward` : `Phường ${ward}`;
  const parts = [
    line,
    wardForm,
    isCity ? districtForm : city,
    `${state}${postalCode && ` ${postalCode}`}`,
    pick(['Việt Nam', 'Vietnam', 'Viet Nam']),
  ];
  const text = parts.join(pick([', ', ', ', '\n']));
  const plain = english ? unmarked : (each: string) => each;
  return { text: plain(text), street: plain(line), city: plain(city), state: plain(state), postalCode };
};

const INDIA = `Pune|Maharashtra|411|पुणे|महाराष्ट्र
Mumbai|Maharashtra|400|मुंबई|महाराष्ट्र
Bengaluru|Karnataka|560|बेंगलुरु|कर्नाटक
Chennai|Tamil Nadu|600|चेन्नई|तमिल नाडु
Surat|Gujarat|395|सूरत|गुजरात
Noida|Uttar Pradesh|201|नोएडा|उत्तर प्रदेश
Tiruppur|Tamil Nadu|641|तिरुपुर|तमिल नाडु
Ludhiana|Punjab|141|लुधियाना|पंजाब
Kolkata|West Bengal|700|कोलकाता|पश्चिम बंगाल
Hyderabad|Telangana|500|हैदराबाद|तेलंगाना
Moradabad|UP|244|मुरादाबाद|उत्तर प्रदेश
Panipat|Haryana|132|पानीपत|हरियाणा
New Delhi|Delhi|110|नई दिल्ली|दिल्ली`.split('\n');

const india: Generate = ({ pick, chance, digits, int }) => {
  const [city = '', state = '', area = '', localCity = '', localState = ''] = pick(INDIA).split('|');
  const postalCode = `${area}${digits(3)}`;
  const spaced = chance(0.2) ? `${area} ${postalCode.slice(3)}` : postalCode;
  if (chance(0.25)) {
    const line = pick([`प्लॉट नं. ${int(1, 99)}, औद्योगिक क्षेत्र`, `${int(1, 99)}, महात्मा गांधी मार्ग`]);
    const text = `${line}, ${localCity}, ${localState} ${postalCode}, ${pick(['भारत', 'India'])}`;
    return { text, street: line, city: localCity, state: localState, postalCode };
  }
  const line = pick([
    `Plot No. ${int(1, 99)}, MIDC Industrial Area, Phase II`,
    `Survey No. ${int(1, 99)}/2A, Village Chakan`,
    `B-${int(1, 99)}, Sector ${int(1, 99)}`,
    `${int(1, 99)}, Mahatma Gandhi Road, Near City Mall`,
    `Unit 4, Okhla Industrial Estate, Phase 3`,
    `#${int(1, 99)}, 3rd Cross, 2nd Main`,
  ]);
  const text = pick([
    () => `${line}, ${city}, ${state} ${spaced}, India`,
    () => `${line}, ${city} - ${spaced}, ${state}, India`,
    () => `${line}, ${city} ${spaced}, ${state}, INDIA`,
    () => `${line}\n${city} – ${spaced}\n${state}\nIndia`,
    () => `${line}, ${city}, ${state}, India - ${spaced}`,
    () => `${line}, ${city}, ${state}, PIN: ${spaced}, India`,
  ])();
  return { text, street: line, city, state, postalCode: spaced };
};

const MEXICO = `Monterrey|Nuevo León|N.L.|64
Guadalajara|Jalisco|Jal.|44
Tijuana|Baja California|B.C.|22
Ciudad Juárez|Chihuahua|Chih.|32
León|Guanajuato|Gto.|37
Santiago de Querétaro|Querétaro|Qro.|76
Puebla|Puebla|Pue.|72
Toluca|Estado de México|Edo. de Méx.|50
San Luis Potosí|San Luis Potosí|S.L.P.|78
Mérida|Yucatán|Yuc.|97
Veracruz|Veracruz|Ver.|91
Ciudad de México|CDMX|CDMX|03`.split('\n');

const mexico: Generate = ({ pick, chance, digits, int }) => {
  const [city = '', name = '', short = '', area = ''] = pick(MEXICO).split('|');
  const state = pick([name, short]);
  const postalCode = `${area}${digits(3)}`;
  const street = pick([
    `Av. Insurgentes Sur ${int(1, 1999)}`,
    `Calle 5 de Mayo No. ${int(1, 99)}`,
    `Blvd. Díaz Ordaz ${int(1, 999)}-B`,
    `Carretera a Saltillo Km ${int(1, 20)}.5`,
  ]);
  const colony = pick([
    'Col. Centro',
    'Col. Del Valle',
    'Parque Industrial Apodaca',
    'Fracc. Las Torres',
    'Colonia Roma Norte',
  ]);
  const line = `${street}, ${colony}`;
  const text = pick([
    () => `${line}, ${postalCode} ${city}, ${state}, México`,
    () => `${line}, C.P. ${postalCode}, ${city}, ${state}, Mexico`,
    () => `${line}, ${city}, ${state}, C.P. ${postalCode}, MÉXICO`,
    () => `${line}, ${city}, ${state} ${postalCode}, Mexico`,
    () => `${street}\n${colony}\n${postalCode} ${city}, ${state}\nMéxico`,
  ])();
  return { text: chance(0.1) ? text.toUpperCase() : text, street: line, city, state, postalCode };
};

/** Generators by country, based on national postal service and Universal Postal Union formats. */
export const FOREIGN: Readonly<Record<string, Generate>> = {
  ...{ CN: china, TW: taiwan, JP: japan, KR: korea, DE: germany, VN: vietnam, IN: india, MX: mexico },
};

/** Generates addresses in a country, both in the country's own script and in Latin letters. */
export function foreignAddresses(country: string, count: number, seed: number): ExpectedAddress[] {
  const random = seeded(seed);
  return Array.from({ length: count }, () => ({ ...FOREIGN[country]!(random), country }));
}
