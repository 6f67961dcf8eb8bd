import { type FieldContext, FormField } from './field.tsx';
import { FormGroup, FormSection } from './field-groups.tsx';
import { GROUPS, kindOfFields, listAt, valueAt } from './fields.ts';

interface SectionProps {
  readonly context: FieldContext;
}

/** Lets the merchant choose the kind of certificate and enter the product's age grading. */
export function ProductType({ context }: SectionProps) {
  return (
    <FormSection name="age_grading">
      <FormField path="certificate_type" context={context} />
      <FormGroup group={GROUPS.age_grading} path="age_grading" context={context} />
    </FormSection>
  );
}

/** Shows fields specific to a Children's Product Certificate, and nothing for a General Certificate of Conformity. */
export function ChildrensProduct({ context }: SectionProps) {
  const { fields } = context;
  if (kindOfFields(fields) !== 'CPC') return null;
  const isToy =
    listAt(fields, 'childrens_product.types').includes('toy') ||
    listAt(fields, 'cpsc_rules_cited').some(rule => String(rule).includes('1250')) ||
    valueAt(fields, 'toy_standard') !== undefined;
  return (
    <>
      <FormSection name="childrens_product">
        <FormGroup group={GROUPS.childrens_product} path="childrens_product" context={context} />
        <div id="small_batch" tabIndex={-1}>
          <FormGroup group={GROUPS.small_batch} path="small_batch" context={context} />
        </div>
      </FormSection>
      {isToy && (
        <FormSection name="toy_standard">
          <FormGroup group={GROUPS.toy_standard} path="toy_standard" context={context} />
        </FormSection>
      )}
    </>
  );
}
