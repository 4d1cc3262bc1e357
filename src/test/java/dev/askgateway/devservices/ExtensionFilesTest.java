package dev.askgateway.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExtensionFilesTest {
  @TempDir
  private Path folder;

  @Test
  @DisplayName(
      "a folder counts only when library, control file and the script of its version are all there")
  void needsAllThree() throws IOException {
    assertThat(ExtensionFiles.in(folder, folder)).isEmpty();
    Files.writeString(folder.resolve("vector.so"), "so");
    Files.writeString(
        folder.resolve("vector.control"), "comment = 'x'\ndefault_version = '0.8.0'\n");
    Files.writeString(folder.resolve("vector--0.7.4.sql"), "old");
    assertThat(ExtensionFiles.in(folder, folder)).isEmpty();

    Files.writeString(folder.resolve("vector--0.8.0.sql"), "new");
    assertThat(ExtensionFiles.in(folder, folder))
        .get()
        .extracting(ExtensionFiles::version)
        .isEqualTo("0.8.0");
  }

  @Test
  @DisplayName("copying replaces what differs, keeps what is equal, and leaves no parts")
  void copies() throws IOException {
    Files.writeString(folder.resolve("vector.so"), "so");
    Files.writeString(folder.resolve("vector.control"), "default_version = '0.8.0'");
    Files.writeString(folder.resolve("vector--0.8.0.sql"), "new");
    var files = ExtensionFiles.in(folder, folder).orElseThrow();
    var target = Files.createDirectory(folder.resolve("server"));
    Files.writeString(target.resolve("vector.so"), "another");
    var equal = Files.writeString(target.resolve("vector.control"), "default_version = '0.8.0'");
    var inode = Files.getAttribute(equal, "unix:ino");

    files.copyTo(target, target);

    assertThat(target.resolve("vector.so")).hasContent("so");
    assertThat(Files.getAttribute(equal, "unix:ino")).isEqualTo(inode);
    assertThat(Folders.children(target))
        .extracting(file -> file.getFileName().toString())
        .containsExactly("vector--0.8.0.sql", "vector.control", "vector.so");
  }

  @Test
  @DisplayName("a control file without a version is an error that names the file")
  void controlWithoutVersion() throws IOException {
    var control = Files.writeString(folder.resolve("vector.control"), "relocatable = true");

    assertThatThrownBy(() -> ExtensionFiles.scriptName(control))
        .hasMessageContaining("vector.control");
  }
}
