import java.io.File;
import java.io.FileInputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;

/** Validates every PDF of a folder as PDF/A-3u and PDF/UA-1, and fails when one does not pass. */
public class Validate {
  public static void main(String[] args) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    File[] files = new File(args[0]).listFiles((folder, name) -> name.endsWith(".pdf"));
    Arrays.sort(files);
    int failed = 0;
    for (File file : files) {
      for (PDFAFlavour flavour : new PDFAFlavour[] {PDFAFlavour.PDFA_3_U, PDFAFlavour.PDFUA_1}) {
        try (var parser = Foundries.defaultInstance().createParser(new FileInputStream(file), flavour);
            var validator = Foundries.defaultInstance().createValidator(flavour, false)) {
          var result = validator.validate(parser);
          System.out.println((result.isCompliant() ? "pass " : "FAIL ") + flavour + " " + file.getName());
          if (result.isCompliant()) continue;
          failed++;
          Map<String, String> broken = new TreeMap<>();
          for (TestAssertion test : result.getTestAssertions()) {
            if (test.getStatus() == TestAssertion.Status.FAILED) {
              broken.putIfAbsent(test.getRuleId().getClause() + "-" + test.getRuleId().getTestNumber(), test.getMessage());
            }
          }
          broken.forEach((rule, message) -> System.out.println("     " + rule + " " + message));
        }
      }
    }
    System.out.println(files.length + " files, " + failed + " failed");
    if (failed > 0 || files.length == 0) System.exit(1);
  }
}
