import java.io.File;
import java.io.FileInputStream;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.apache.pdfbox.preflight.parser.PreflightParser;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;

/**
 * Validates the PDFs in one or two folders and fails if any file doesn't conform. The first folder contains issued
 * certificates (PDF/A-3u and PDF/UA-1). The second folder contains the same certificates as PDF/A-1b, the format that
 * both validators support.
 */
public class Validate {
  /** Returns a file's violations, or an empty result if the file conforms. */
  interface Validator {
    Set<String> faultsOf(File file) throws Exception;
  }

  static int checks = 0;
  static int failed = 0;

  public static void main(String[] folders) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    validate(folders[0], "veraPDF PDF/A-3u", file -> veraPdf(file, PDFAFlavour.PDFA_3_U));
    validate(folders[0], "veraPDF PDF/UA-1", file -> veraPdf(file, PDFAFlavour.PDFUA_1));
    if (folders.length > 1) {
      validate(folders[1], "veraPDF PDF/A-1b", file -> veraPdf(file, PDFAFlavour.PDFA_1_B));
      validate(folders[1], "Preflight PDF/A-1b", Validate::preflight);
    }
    System.out.println(checks + " checks, " + failed + " failed");
    if (failed > 0) System.exit(1);
  }

  static void validate(String folder, String name, Validator validator) throws Exception {
    File[] files = new File(folder).listFiles((parent, file) -> file.endsWith(".pdf"));
    if (files == null || files.length == 0) throw new IllegalArgumentException("No PDFs found in " + folder);
    Arrays.sort(files);
    for (File file : files) {
      Set<String> faults = validator.faultsOf(file);
      System.out.println((faults.isEmpty() ? "pass " : "FAIL ") + name + " " + file.getName());
      faults.forEach(fault -> System.out.println("     " + fault));
      checks++;
      if (!faults.isEmpty()) failed++;
    }
  }

  static Set<String> veraPdf(File file, PDFAFlavour flavour) throws Exception {
    Set<String> faults = new TreeSet<>();
    try (var parser = Foundries.defaultInstance().createParser(new FileInputStream(file), flavour);
        var validator = Foundries.defaultInstance().createValidator(flavour, false)) {
      var result = validator.validate(parser);
      for (TestAssertion test : result.getTestAssertions()) {
        if (test.getStatus() != TestAssertion.Status.FAILED) continue;
        faults.add(test.getRuleId().getClause() + "-" + test.getRuleId().getTestNumber() + " " + test.getMessage());
      }
      if (!result.isCompliant() && faults.isEmpty()) faults.add("not compliant, but no reason was reported");
    }
    return faults;
  }

  static Set<String> preflight(File file) throws Exception {
    Set<String> faults = new TreeSet<>();
    var result = PreflightParser.validate(file);
    result.getErrorsList().forEach(error -> faults.add(error.getErrorCode() + " " + error.getDetails()));
    if (!result.isValid() && faults.isEmpty()) faults.add("not valid, but no reason was reported");
    return faults;
  }
}
