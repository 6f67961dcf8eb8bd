import type { CertificateRequest } from '../request/schema.ts';
import { completeRequest } from './requests.ts';

/** Names and addresses in every script that a certificate is drawn in. */
export const scripts = {
  latin: ['Road Bicycle Helmet', 'Shenzhen Velo Safety Co., Ltd.', '88 Keyuan Road, Nanshan District, Shenzhen, China'],
  vietnamese: [
    'Mũ bảo hiểm xe đạp',
    'Công ty TNHH An Toàn Việt',
    'Số 12 đường Nguyễn Huệ, Quận 1, Hồ Chí Minh, Vietnam',
  ],
  greek: ['Κράνος ποδηλάτου (ενηλίκων)', 'Ασφάλεια Α.Ε.', 'Λεωφόρος Κηφισίας 44, Αθήνα, Greece'],
  cyrillic: ['Шлем велосипедный «Вело»', 'ООО «Безопасность»', 'ул. Ленина, 5, Москва, Russia'],
  chinese: ['自行车头盔（成人款）', '深圳市维乐安全用品有限公司', '南山区科苑路88号, 深圳市, 广东省, China'],
  traditional: ['自行車安全帽（成人款）', '臺灣騎士安全股份有限公司', '市府路1號, 臺北市, Taiwan'],
  japanese: ['自転車用ヘルメット（大人用）', '東京安全株式会社', '丸の内一丁目1番, 千代田区, 東京都, Japan'],
  korean: ['자전거 헬멧 (성인용)', '서울안전 주식회사', '강남구 테헤란로 123, 서울특별시, South Korea'],
  arabic: ['خوذة دراجة (للبالغين)', 'شركة السلامة المحدودة', 'شارع الملك فهد 12, الرياض, Saudi Arabia'],
  hebrew: ['קסדת אופניים (למבוגרים)', 'בטיחות בע״מ', 'רחוב הרצל 12, תל אביב, Israel'],
  thai: ['หมวกกันน็อกจักรยานสำหรับผู้ใหญ่', 'บริษัท ความปลอดภัย จำกัด', '123 ถนนสุขุมวิท, แขวงคลองเตย กรุงเทพฯ, Thailand'],
} as const;

/** A script by its name in {@link scripts}. */
export type Script = keyof typeof scripts;

/** The complete sample with the product and the manufacturer written in a script. */
export function requestIn(script: Script): CertificateRequest {
  const [name, manufacturer, address] = scripts[script];
  const { city: _, state_province: __, postal_code: ___, country: ____, ...maker } = completeRequest.manufacturer;
  return {
    ...completeRequest,
    product_info: { ...completeRequest.product_info, name },
    manufacturer: { ...maker, name: manufacturer, address },
  };
}

/** The complete sample with sixty rules: known ones, standards, and texts of two lines; it fills three pages. */
export const sixtyRules: CertificateRequest = {
  ...completeRequest,
  cpsc_rules_cited: Array.from({ length: 60 }, (_, at) => {
    if (at % 3 === 0) return `16 CFR ${1201 + at}`;
    return at % 3 === 1
      ? `ASTM F${900 + at}-2${at % 10}`
      : `UL ${300 + at}, the edition that the laboratory names in its report`;
  }),
  tests: [],
};
